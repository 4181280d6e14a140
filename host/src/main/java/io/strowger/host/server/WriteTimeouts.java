package io.strowger.host.server;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Closes the connections of clients that do not take their answers. An answer keeps its request's
 * place among those in flight, and the bytes of its body, until it is written.
 *
 * <p>What is counted is the time in which the host waits for the client, never the time in which
 * the client waits for an answer. One service thread looks at every answer, so that a write pays no
 * clock. Safe on any thread.
 */
final class WriteTimeouts implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(250);

  /** How long the rest of an answer may take whose request is over, such as by its deadline. */
  private static final Duration AFTER_CANCEL = Duration.ofSeconds(2);

  /** Until an answer is given up that is taken steadily, but slower than 16 KiB a second. */
  private static final int HEAD_START = 2;

  private static final long NANOS_PER_BYTE = 1_000_000_000L / (16 << 10);

  private final Ambient ambient;
  private final long patience; // nanoseconds
  private final Set<Answer> answers = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param patience with a client that takes nothing
   */
  WriteTimeouts(Duration patience, Ambient ambient) {
    this.patience = patience.toNanos();
    this.ambient = ambient;
  }

  void start() {
    ambient.startService("write-timeouts", this::run);
  }

  private void run() {
    try {
      while (!closed.await(TICK.toNanos(), TimeUnit.NANOSECONDS)) {
        long now = ambient.nanoTime();
        answers.forEach(answer -> answer.check(now));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Watches an answer until the result is closed.
   *
   * @param cancellation of its request
   */
  Answer watch(WatchedOutput out, Cancellation cancellation) {
    var answer = new Answer(out, cancellation);
    answers.add(answer);
    return answer;
  }

  @Override
  public void close() {
    closed.countDown();
  }

  /** An answer that is being written. */
  final class Answer implements AutoCloseable {
    private final WatchedOutput out;
    private final Cancellation cancellation;
    private final long bytesBefore; // of earlier answers on this connection
    private WatchedOutput.Progress seen; // these four belong to the service
    private long seenAt;
    private long waited; // for the client, since the answer began
    private long waitedForWrite; // of it, for the write that was seen last

    private Answer(WatchedOutput out, Cancellation cancellation) {
      this.out = out;
      this.cancellation = cancellation;
      this.seen = out.progress();
      this.bytesBefore = seen.bytes();
    }

    /**
     * Looks how far the answer is, and gives it up when the client is too slow.
     *
     * @param now on {@link Ambient#nanoTime()}
     */
    void check(long now) {
      WatchedOutput.Progress current = out.progress();
      boolean sameWrite = current.waiting() && current.writes() == seen.writes();
      if (current.waiting() && seen.waiting()) {
        waited += now - seenAt;
      }
      waitedForWrite = sameWrite ? waitedForWrite + now - seenAt : 0;
      seen = current;
      seenAt = now;
      if (current.waiting() && isTooSlow(current.bytes() - bytesBefore)) {
        out.giveUp(current);
      }
    }

    private boolean isTooSlow(long bytes) {
      long most = cancellation.isCancelled() ? AFTER_CANCEL.toNanos() : patience;
      return waitedForWrite >= Math.min(most, patience)
          || waited >= HEAD_START * patience + bytes * NANOS_PER_BYTE;
    }

    @Override
    public void close() {
      answers.remove(this);
    }
  }
}
