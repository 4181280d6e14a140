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
  public static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Ambient ambient;
  private final Set<Background> backgroundTasks = ConcurrentHashMap.newKeySet();

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
   * @param description its name and owner, for the log: {@code acme.jar: the protocol acme-rpc}
   */
  public record Resource(String description, AutoCloseable closeable) {
    public Resource {
      Objects.requireNonNull(description, "description");
      Objects.requireNonNull(closeable, "closeable");
    }
  }

  /**
   * Closes resources concurrently and returns when they are closed, or after {@link #TIMEOUT}. The
   * ones that are not closed by then are interrupted and abandoned. Never throws.
   */
  public void close(List<Resource> resources) {
    var tasks = new ArrayList<Task>();
    for (Resource resource : resources) {
      tasks.add(new Task(resource).start(ambient));
    }
    long deadline = ambient.nanoTime() + TIMEOUT.toNanos();
    for (Task task : tasks) {
      if (!awaitUntil(task.done, deadline)) {
        task.giveUp();
      }
    }
  }

  /**
   * Starts to close resources and returns at once.
   *
   * @param next closed once the first ones are closed or abandoned
   */
  public void closeInBackground(List<Resource> first, List<Resource> next) {
    if (first.isEmpty() && next.isEmpty()) {
      return;
    }
    var background = new Background(first, next);
    backgroundTasks.add(background);
    ambient.startService("close-unused", background);
  }

  /**
   * Waits for the resources that are closed in the background, at most three times {@link
   * #TIMEOUT}. An interrupt does not shorten the wait.
   */
  public void awaitBackground() {
    long deadline = ambient.nanoTime() + TIMEOUT.toNanos() * 3; // each task has two steps
    for (Background background : backgroundTasks) {
      if (!awaitUntil(background.done, deadline)) {
        log.warn("a resource is still not closed after the time limit; it is abandoned");
      }
    }
  }

  private boolean awaitUntil(CountDownLatch latch, long deadline) {
    return Uninterruptibles.awaitUninterruptibly(
        latch, deadline - ambient.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Closes in two steps. Keeps no closed resource, so that its classes can be unloaded. */
  private final class Background implements Runnable {
    private final Queue<List<Resource>> steps = new ArrayDeque<>();
    private final CountDownLatch done = new CountDownLatch(1);

    Background(List<Resource> first, List<Resource> next) {
      steps.add(first);
      steps.add(next);
    }

    @Override
    public void run() {
      try {
        while (!steps.isEmpty()) {
          close(steps.remove());
        }
      } finally {
        backgroundTasks.remove(this);
        done.countDown();
      }
    }
  }

  /** Closes one resource on its own thread. */
  private static final class Task implements Runnable {
    private final String description;
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable Resource resource; // until it is closed
    private @Nullable Thread thread;

    Task(Resource resource) {
      this.description = resource.description();
      this.resource = resource;
    }

    Task start(Ambient ambient) {
      thread = ambient.startService("close", this); // closing may spin and block virtual threads
      return this;
    }

    @Override
    public void run() {
      Resource closing = resource;
      resource = null;
      try {
        if (closing != null) {
          closing.closeable().close();
        }
      } catch (InterruptedException e) {
        log.error("{} was interrupted while it closed", description, e);
      } catch (Throwable bug) { // this thread serves only this resource
        log.error("{} failed to close", description, bug);
      } finally {
        done.countDown();
      }
    }

    void giveUp() {
      log.warn(
          "{} is not closed after {} s: its thread is interrupted and abandoned",
          description,
          TIMEOUT.toSeconds());
      Thread running = thread;
      if (running != null) {
        running.interrupt();
      }
    }
  }
}
