package io.strowger.core.http;

import io.strowger.core.dialect.AnswerStream;
import io.strowger.core.inference.DeliveryState;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.core.wire.WireBody;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream that may begin before its answer does. One thread serves the request, a second signals
 * at intervals, and the host's thread waits for the first of them: it then writes the answer, or a
 * comment that keeps the connection alive.
 */
final class EarlyStream implements WireBody {
  private static final Logger log = LoggerFactory.getLogger(EarlyStream.class);
  private static final Duration BEAT = Duration.ofSeconds(10);
  private static final byte[] COMMENT =
      ": ROUTER PROCESSING\n\n".getBytes(StandardCharsets.US_ASCII);

  private final String id;
  private final Cancellation cancellation;
  private final Function<Reply.Answered, AnswerStream> writing;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Reply reply; // this field and the next four are guarded by the lock
  private @Nullable Thread keepAliveTimer;
  private boolean keepAliveDue;
  private boolean closed;
  private @Nullable AnswerStream stream;

  EarlyStream(
      String id, Cancellation cancellation, Function<Reply.Answered, AnswerStream> writing) {
    this.id = id;
    this.cancellation = cancellation;
    this.writing = writing;
  }

  void start(Ambient ambient, Inference.Underway underway, Duration after) {
    change(
        () ->
            keepAliveTimer =
                ambient.start("strowger-beat-" + id, () -> keepAliveDue(ambient, after)));
    ambient.start("strowger-serve-" + id, () -> arrived(reply(underway)));
  }

  private void keepAliveDue(Ambient ambient, Duration after) {
    try {
      ambient.sleep(after);
      while (true) {
        change(
            () -> {
              keepAliveDue = true;
              changed.signalAll();
            });
        ambient.sleep(BEAT);
      }
    } catch (InterruptedException answered) {
      // the answer has arrived: the connection needs no more comments
    }
  }

  /**
   * Returns the reply, or an internal error when serving fails, so that the host's thread does not
   * wait forever.
   */
  private static Reply reply(Inference.Underway underway) {
    try {
      return underway.reply();
    } catch (RuntimeException | Error bug) {
      log.error("request {} failed", underway.id(), bug);
      return new Reply.Refused(
          underway.id(), 0, GatewayError.of(ErrorCode.INTERNAL), DeliveryState.NONE);
    }
  }

  private void arrived(Reply came) {
    boolean late =
        locked(
            () -> {
              reply = came;
              stopTimer();
              changed.signalAll();
              return closed;
            });
    if (late && came instanceof Reply.Answered answered) {
      answered.answer().close();
    }
  }

  private void stopTimer() {
    if (keepAliveTimer != null) {
      keepAliveTimer.interrupt(); // the thread only sleeps
    }
  }

  /** Waits for the reply; returns null when the status line is due first. */
  @Nullable Reply awaitReply() {
    return locked(
        () -> {
          while (reply == null && !keepAliveDue) {
            changed.awaitUninterruptibly();
          }
          return reply;
        });
  }

  @Override
  public boolean writeNext(OutputStream out) throws IOException {
    AnswerStream begun = locked(this::begun);
    if (begun != null) {
      return begun.writeNext(out);
    }
    if (locked(() -> closed)) {
      return false;
    }
    out.write(COMMENT);
    return true;
  }

  /**
   * Waits for the answer's stream. Returns null when a comment is due, or when this stream is
   * closed.
   */
  private @Nullable AnswerStream begun() {
    while (reply == null && !keepAliveDue && !closed) {
      changed.awaitUninterruptibly();
    }
    keepAliveDue = false;
    if (stream == null && reply != null && !closed) {
      stream =
          writing.apply(
              switch (reply) {
                case Reply.Answered answered -> answered;
                case Reply.Refused refused -> InBandError.of(refused); // too late for a status line
              });
    }
    return stream;
  }

  @Override
  public boolean ready() {
    AnswerStream begun = locked(() -> stream);
    return begun != null && begun.ready();
  }

  @Override
  public long length() {
    return -1;
  }

  @Override
  public void close() {
    AnswerStream begun =
        locked(
            () -> {
              closed = true;
              stopTimer();
              changed.signalAll();
              if (stream == null && reply instanceof Reply.Answered answered) {
                stream = writing.apply(answered);
              }
              return stream;
            });
    if (begun != null) {
      begun.close();
    } else {
      cancellation.cancel(Cancellation.Cause.CLOSED);
    }
  }

  private void change(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  private <T extends @Nullable Object> T locked(Supplier<T> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
    }
  }
}
