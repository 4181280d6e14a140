package io.strowger.spi.provider;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The embeddings of one request. The engine checks that there is one for each input and writes each
 * in the encoding the caller asked for.
 *
 * @param vectors in the order of the inputs, whatever the order they arrived in; each an array of
 *     numbers, or a string that is the base64 of 32-bit floats, the low byte first
 * @param usage what it used; null when the upstream did not say
 * @param source the upstream's document; empty when there is none
 * @param whenDone run once when nobody needs the vectors any more, on any thread: frees the memory
 *     they were counted against
 */
public record EmbeddingsAnswer(
    List<Json> vectors, @Nullable Usage usage, Json.Obj source, Runnable whenDone) {
  public EmbeddingsAnswer(
      List<Json> vectors, @Nullable Usage usage, Json.Obj source, Runnable whenDone) {
    this.vectors = List.copyOf(vectors);
    this.usage = usage;
    this.source = Objects.requireNonNull(source, "source");
    this.whenDone = Objects.requireNonNull(whenDone, "whenDone");
  }
}
