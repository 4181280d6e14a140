package io.strowger.core.ambient;

import com.google.common.util.concurrent.Uninterruptibles;
import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes resources of plugins and adapters, each on a thread of its own and within a bounded time.
 * A resource that throws or hangs is logged and affects neither the calling thread nor the other
 * resources. Safe on any thread.
 */
public final class BoundedCloser {
  private static final Logger log = LoggerFactory.getLogger(BoundedCloser.class);

  /** The time limit for resources that are closed together. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Ambient ambient;
  private final Set<Background> underWay = ConcurrentHashMap.newKeySet();

  /**
   * @param ambient the source of its threads and its time
   */
  public BoundedCloser(Ambient ambient) {
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /** Returns the source of its threads and its time. */
  public Ambient ambient() {
    return ambient;
  }

  /**
   * Something to close.
   *
   * @param what its name and owner, for the log: {@code acme.jar: the protocol acme-rpc}
   */
  public record Resource(String what, AutoCloseable it) {
    public Resource {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(it, "it");
    }
  }

  /**
   * Closes resources concurrently and returns when they are closed, or after {@link #PATIENCE}:
   * then those not closed yet are interrupted and abandoned. Never throws.
   */
  public void close(List<Resource> resources) {
    var tasks = new ArrayList<Task>();
    for (Resource resource : resources) {
      tasks.add(new Task(resource).started(ambient));
    }
    long until = ambient.nanoTime() + PATIENCE.toNanos();
    for (Task task : tasks) {
      if (!isOver(task.over, until)) {
        task.giveUp();
      }
    }
  }

  /**
   * Starts to close resources and returns at once.
   *
   * @param then closed once the first ones are closed or abandoned
   */
  public void closeInBackground(List<Resource> first, List<Resource> then) {
    if (first.isEmpty() && then.isEmpty()) {
      return;
    }
    var background = new Background(first, then);
    underWay.add(background);
    ambient.startService("close-unused", background);
  }

  /**
   * Waits for the resources that are closed in the background, at most three times {@link
   * #PATIENCE}. An interrupt does not shorten the wait.
   */
  public void awaitBackground() {
    long until = ambient.nanoTime() + PATIENCE.toNanos() * 3; // each has two steps
    for (Background each : underWay) {
      if (!isOver(each.over, until)) {
        log.warn("a resource is still not closed after the time limit; it is abandoned");
      }
    }
  }

  private boolean isOver(CountDownLatch over, long until) {
    return Uninterruptibles.awaitUninterruptibly(
        over, until - ambient.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Closes in two steps. Keeps no closed resource, so that its classes can be unloaded. */
  private final class Background implements Runnable {
    private final Queue<List<Resource>> steps = new ArrayDeque<>();
    private final CountDownLatch over = new CountDownLatch(1);

    Background(List<Resource> first, List<Resource> then) {
      steps.add(first);
      steps.add(then);
    }

    @Override
    public void run() {
      try {
        while (!steps.isEmpty()) {
          close(steps.remove());
        }
      } finally {
        underWay.remove(this);
        over.countDown();
      }
    }
  }

  /** Closes one resource on its own thread. */
  private static final class Task implements Runnable {
    private final String what;
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Resource resource; // until it is closed
    private @Nullable Thread thread;

    Task(Resource resource) {
      this.what = resource.what();
      this.resource = resource;
    }

    Task started(Ambient ambient) {
      thread = ambient.startService("close", this); // it may spin and block virtual threads
      return this;
    }

    @Override
    public void run() {
      Resource closing = resource;
      resource = null;
      try {
        if (closing != null) {
          closing.it().close();
        }
      } catch (InterruptedException e) {
        log.error("{} was interrupted while it closed", what, e);
      } catch (Throwable bug) { // this thread serves only this resource
        log.error("{} failed to close", what, bug);
      } finally {
        over.countDown();
      }
    }

    void giveUp() {
      log.warn(
          "{} is not closed after {} s: its thread is interrupted and abandoned",
          what,
          PATIENCE.toSeconds());
      Thread still = thread;
      if (still != null) {
        still.interrupt();
      }
    }
  }
}
