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
 * Whether the status line of a stream goes out before its first content, and when: the
 * configuration's {@code stream.early_head_ms}. The content still commits on its own, so providers
 * are replaced unseen up to it; but a refusal then comes in the stream, under status 200.
 */
public final class EarlyHead {
  private final Ambient ambient;
  private final @Nullable Duration after;

  /**
   * @param after how long to wait for content before the status line goes out; null: as long as it
   *     takes
   */
  public EarlyHead(Ambient ambient, @Nullable Duration after) {
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.after = after;
  }

  boolean wanted() {
    return after != null;
  }

  /**
   * Starts the request on a thread of its own.
   *
   * @param writing begins to write an answer, or a refusal made into one
   */
  EarlyStream stream(
      Inference.Underway underway,
      Cancellation cancellation,
      Function<Reply.Answered, AnswerStream> writing) {
    var stream = new EarlyStream(underway.id(), cancellation, writing);
    stream.start(ambient, underway, Objects.requireNonNull(after));
    return stream;
  }
}
