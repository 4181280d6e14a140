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
 * @param vectors the embeddings in the order of the inputs, not of their arrival; each an array of
 *     numbers, or a base64 string of 32-bit floats, little-endian
 * @param usage the usage; null when the upstream reported none
 * @param source the upstream's document; empty when there is none
 * @param whenDone run once, on any thread, when the vectors are no longer needed: gives their bytes
 *     back to the memory budget
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
