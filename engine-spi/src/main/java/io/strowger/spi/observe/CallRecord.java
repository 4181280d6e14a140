package io.strowger.spi.observe;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.routing.TraceEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request when it is over. Immutable; holds no prompt, no answer, no secret.
 *
 * @param id generation id, {@code gen-...}
 * @param keyName the name of the caller's key
 * @param requested the model as the caller named it
 * @param endpoint the endpoint that answered; null when none did
 * @param outcome how it ended
 * @param stopReason why the answer ended; null when it did not
 * @param error what the caller was told; null when all went well
 * @param lines one per attempt, in order
 * @param trace every fact of the decision and the attempts
 * @param started when the request came
 * @param firstContentNanos from then to the first content; -1 when there was none
 * @param totalNanos from then to the end
 */
public record CallRecord(
    String id,
    String keyName,
    String requested,
    @Nullable String endpoint,
    Outcome outcome,
    @Nullable StopReason stopReason,
    @Nullable ErrorCode error,
    List<Line> lines,
    List<TraceEntry> trace,
    Instant started,
    long firstContentNanos,
    long totalNanos) {
  public CallRecord {
    lines = List.copyOf(lines);
    trace = List.copyOf(trace);
  }

  /** How a request ended; one of three. */
  public enum Outcome {
    COMPLETE,
    ERROR,
    CANCELLED
  }

  /**
   * The bill of one attempt.
   *
   * @param usage what was used, estimated when the upstream did not say
   * @param cost what it costs the caller; zero for an attempt that delivered nothing
   */
  public record Line(String endpoint, Usage usage, Usd cost) {}

  /** The bill of all attempts. */
  public Usd cost() {
    Usd sum = Usd.ZERO;
    for (Line line : lines) {
      sum = sum.plus(line.cost());
    }
    return sum;
  }
}
