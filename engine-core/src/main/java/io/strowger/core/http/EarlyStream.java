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
 * A stream that may begin before its answer does. One thread serves the request, and a second
 * signals at intervals. The host's thread waits for whichever comes first, and then writes the
 * answer, or a comment that keeps the connection alive.
 */
final class EarlyStream implements WireBody {
  private static final Logger log = LoggerFactory.getLogger(EarlyStream.class);
  private static final Duration KEEP_ALIVE_INTERVAL = Duration.ofSeconds(10);
  private static final byte[] COMMENT =
      ": ROUTER PROCESSING\n\n".getBytes(StandardCharsets.US_ASCII);

  private final String id;
  private final Cancellation cancellation;
  private final Function<Reply.Answered, AnswerStream> streamFactory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Reply reply; // this field and the next four are guarded by the lock
  private @Nullable Thread keepAliveTimer;
  private boolean keepAliveDue;
  private boolean isClosed;
  private @Nullable AnswerStream stream;

  EarlyStream(
      String id, Cancellation cancellation, Function<Reply.Answered, AnswerStream> streamFactory) {
    this.id = id;
    this.cancellation = cancellation;
    this.streamFactory = streamFactory;
  }

  void start(Ambient ambient, Inference.PendingCall pendingCall, Duration delay) {
    runLocked(
        () ->
            keepAliveTimer =
                ambient.start("strowger-beat-" + id, () -> runKeepAlive(ambient, delay)));
    ambient.start("strowger-serve-" + id, () -> onReply(reply(pendingCall)));
  }

  private void runKeepAlive(Ambient ambient, Duration delay) {
    try {
      ambient.sleep(delay);
      while (true) {
        runLocked(
            () -> {
              keepAliveDue = true;
              changed.signalAll();
            });
        ambient.sleep(KEEP_ALIVE_INTERVAL);
      }
    } catch (InterruptedException e) {
      // the reply has arrived, or the stream is closed: no more comments are needed
    }
  }

  /**
   * Returns the reply, or an internal error when serving fails, so that the host's thread does not
   * wait forever.
   */
  private static Reply reply(Inference.PendingCall pendingCall) {
    try {
      return pendingCall.reply();
    } catch (RuntimeException | Error bug) {
      log.error("request {} failed", pendingCall.id(), bug);
      return new Reply.Refused(
          pendingCall.id(), 0, GatewayError.of(ErrorCode.INTERNAL), DeliveryState.NONE);
    }
  }

  private void onReply(Reply arrivedReply) {
    boolean tooLate =
        getLocked(
            () -> {
              reply = arrivedReply;
              stopTimer();
              changed.signalAll();
              return isClosed;
            });
    if (tooLate && arrivedReply instanceof Reply.Answered answered) {
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
    return getLocked(
        () -> {
          while (reply == null && !keepAliveDue) {
            changed.awaitUninterruptibly();
          }
          return reply;
        });
  }

  @Override
  public boolean writeNext(OutputStream out) throws IOException {
    AnswerStream current = getLocked(this::awaitStream);
    if (current != null) {
      return current.writeNext(out);
    }
    if (getLocked(() -> isClosed)) {
      return false;
    }
    out.write(COMMENT);
    return true;
  }

  /**
   * Waits for the answer's stream. Returns null when a comment is due, or when this stream is
   * closed.
   */
  private @Nullable AnswerStream awaitStream() {
    while (reply == null && !keepAliveDue && !isClosed) {
      changed.awaitUninterruptibly();
    }
    keepAliveDue = false;
    if (stream == null && reply != null && !isClosed) {
      stream =
          streamFactory.apply(
              switch (reply) {
                case Reply.Answered answered -> answered;
                case Reply.Refused refused -> InBandError.of(refused); // too late for a status line
              });
    }
    return stream;
  }

  @Override
  public boolean ready() {
    AnswerStream current = getLocked(() -> stream);
    return current != null && current.ready();
  }

  @Override
  public long length() {
    return -1;
  }

  @Override
  public void close() {
    AnswerStream current =
        getLocked(
            () -> {
              isClosed = true;
              stopTimer();
              changed.signalAll();
              if (stream == null && reply instanceof Reply.Answered answered) {
                stream = streamFactory.apply(answered);
              }
              return stream;
            });
    if (current != null) {
      current.close();
    } else {
      cancellation.cancel(Cancellation.Cause.CLOSED);
    }
  }

  private void runLocked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private <T extends @Nullable Object> T getLocked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
