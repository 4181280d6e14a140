package io.strowger.core.http;

import io.strowger.core.dialect.AnswerStream;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether and when the status line of a stream is sent before its first content,
 * according to {@code stream.early_head_ms} in the configuration. Until the first content, other
 * providers can still be tried. An error that comes after the status line is written into the
 * stream, under status 200.
 *
 * @param delay how long to wait for content before the status line is sent; null to always wait
 */
public record EarlyHeadPolicy(Ambient ambient, @Nullable Duration delay) {
  boolean isEnabled() {
    return delay != null;
  }

  /**
   * Starts the request on a thread of its own.
   *
   * @param streamFactory creates the stream of an answer; a refusal that comes too late for a
   *     status of its own is passed as an answer that failed
   */
  EarlyStream stream(
      Inference.PendingCall pendingCall,
      Cancellation cancellation,
      Function<Reply.Answered, AnswerStream> streamFactory) {
    var stream = new EarlyStream(pendingCall.id(), cancellation, streamFactory);
    stream.start(ambient, pendingCall, Objects.requireNonNull(delay));
    return stream;
  }
}
