package io.strowger.spi.provider;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request, whole. The engine judges it and passes on only what the contract
 * names.
 *
 * @param document in the words of the contract: of rerank {@code results}, objects with {@code
 *     index}, the place among the documents of the request, and {@code relevance_score}, in any
 *     order; of images {@code data}, objects with {@code b64_json} or {@code url}; of
 *     transcriptions {@code text}, and where that was asked for {@code task}, {@code language},
 *     {@code duration}, {@code segments} and {@code words}
 * @param usage what it used; null when the upstream did not say
 * @param whenDone run once when nobody needs the document any more, on any thread: frees the memory
 *     it was counted against
 */
public record UnaryAnswer(Json.Obj document, @Nullable Usage usage, Runnable whenDone) {
  public UnaryAnswer {
    Objects.requireNonNull(document, "document");
    Objects.requireNonNull(whenDone, "whenDone");
  }
}
