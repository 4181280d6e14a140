package io.strowger.core.destination;

import io.strowger.core.destination.DestinationSender.SendResult;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to one destination, each once, and counts their calls unless these have to be sent
 * again. One thread sends; any thread may stop it.
 */
final class CountingSender {
  private static final Logger log = LoggerFactory.getLogger(CountingSender.class);

  /** The status of an answer that rejects a request as too large. */
  private static final int TOO_LARGE = 413;

  private final String destinationId;
  private final DestinationSender sender;
  private final DeliveryCounts counts;
  private boolean unreadableAnswerLogged; // by the thread that sends; only the first is logged
  private volatile boolean stopped;
  private volatile boolean retrying;
  private volatile @Nullable Cancellation lastCancellation; // of the current or the last request

  CountingSender(String destinationId, DestinationSender sender, DeliveryCounts counts) {
    this.destinationId = destinationId;
    this.sender = sender;
    this.counts = counts;
  }

  /** How the destination responded to a request. */
  enum Verdict {
    ACCEPTED,
    /** Refused for good: the calls are lost. */
    REFUSED,
    /** Too large: its calls have to be sent in smaller requests. */
    TOO_LARGE,
    /** Failed: its calls have to be sent again. */
    FAILED
  }

  /**
   * The result of a request.
   *
   * @param requestedPause how long the destination asks to wait after a failure; zero when it asks
   *     for nothing
   */
  record Result(Verdict verdict, Duration requestedPause) {
    private Result(Verdict verdict) {
      this(verdict, Duration.ZERO);
    }
  }

  /**
   * Sends a request.
   *
   * @param calls the number of calls in it
   */
  Result send(ExportRequest request, DestinationExporter exporter, int calls) {
    Result result = sendAndCount(request, exporter, calls);
    retrying = result.verdict() == Verdict.FAILED;
    return result;
  }

  private Result sendAndCount(ExportRequest request, DestinationExporter exporter, int calls) {
    switch (send(request)) {
      case SendResult.Answered answer -> {
        if (answer.isSuccess()) {
          counts.addAccepted(calls, rejectedCount(exporter, answer.body(), calls));
          return new Result(Verdict.ACCEPTED);
        }
        if (answer.status() == TOO_LARGE && calls > 1) {
          return new Result(Verdict.TOO_LARGE);
        }
        String reason = "answered " + answer.status();
        if (!answer.isRetryable()) {
          counts.addRefused(calls, reason);
          return new Result(Verdict.REFUSED);
        }
        counts.addFailedRequest(reason);
        return new Result(
            Verdict.FAILED, Objects.requireNonNullElse(answer.retryAfter(), Duration.ZERO));
      }
      case SendResult.Unanswered unanswered -> {
        counts.addFailedRequest(unanswered.reason());
        return new Result(Verdict.FAILED);
      }
    }
  }

  /**
   * Returns how many calls of an accepted request were rejected nevertheless; 0 when the exporter
   * fails to read the answer: the request was accepted, so its calls count as delivered.
   */
  private long rejectedCount(DestinationExporter exporter, byte[] answer, int calls) {
    try {
      return Math.clamp(exporter.rejectedCount(answer), 0, calls);
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      if (!unreadableAnswerLogged) {
        unreadableAnswerLogged = true;
        log.error(
            "the exporter of destination {} cannot read an answer of the destination; the calls of"
                + " that request count as delivered. Later failures of this kind are not logged",
            destinationId,
            bug);
      }
      return 0;
    }
  }

  /**
   * Sends a request with a cancellation of its own: a cancellation shared by many requests would
   * retain them all.
   */
  private SendResult send(ExportRequest request) {
    var cancellation = new Cancellation();
    lastCancellation = cancellation;
    if (stopped) {
      cancellation.cancel(Cancellation.Cause.SHUTDOWN);
    }
    return sender.send(request, destinationId, cancellation);
  }

  /** Returns whether the last request has to be sent again. */
  boolean isRetrying() {
    return retrying;
  }

  /** Ends the request that is being sent; later ones fail at once. */
  void stop() {
    stopped = true;
    Cancellation last = lastCancellation; // read last: a request that begins now sees the flag
    if (last != null) {
      last.cancel(Cancellation.Cause.SHUTDOWN);
    }
  }

  boolean isStopped() {
    return stopped;
  }
}
