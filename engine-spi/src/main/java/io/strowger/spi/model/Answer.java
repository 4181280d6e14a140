package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A whole answer that did not come as a stream. Immutable.
 *
 * @param parts what the model said, in order; of the first choice when there are several
 * @param stopReason why it ended
 * @param nativeReason the upstream's word for it; null when it gave none
 * @param usage what it used; null when the upstream did not say
 * @param dialect the dialect of the source
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
