package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A complete answer, as opposed to a stream of events. Immutable.
 *
 * @param parts the parts of the answer, in order; of the first choice when there are several
 * @param stopReason why the answer ended
 * @param nativeReason the upstream's own term for the reason; null when it gave none
 * @param usage the usage of the answer; null when the upstream reported none
 * @param dialect the dialect of {@code source}
 * @param source the upstream's document; null when the answer was made or changed here
 */
public record Answer(
    List<Part> parts,
    StopReason stopReason,
    @Nullable String nativeReason,
    @Nullable Usage usage,
    Dialect dialect,
    Json.@Nullable Obj source) {
  // not the compact form: in class files javac drops the null annotations of its nested types
  public Answer(
      List<Part> parts,
      StopReason stopReason,
      @Nullable String nativeReason,
      @Nullable Usage usage,
      Dialect dialect,
      Json.@Nullable Obj source) {
    this.parts = List.copyOf(parts);
    this.stopReason = Objects.requireNonNull(stopReason, "stopReason");
    this.nativeReason = nativeReason;
    this.usage = usage;
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    this.source = source;
  }
}
