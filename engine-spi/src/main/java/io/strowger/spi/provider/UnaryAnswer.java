package io.strowger.spi.provider;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The complete answer to one request. The engine checks it and passes on only what the contract
 * names.
 *
 * @param document as in the contract: for rerank {@code results}, objects with {@code index}, the
 *     place among the documents of the request, and {@code relevance_score}, in any order; for
 *     images {@code data}, objects with {@code b64_json} or {@code url}; for transcriptions {@code
 *     text}, and if requested {@code task}, {@code language}, {@code duration}, {@code segments}
 *     and {@code words}
 * @param usage the usage; null when the upstream reported none
 * @param whenDone run once, on any thread, when the document is no longer needed: frees the memory
 *     it was counted against
 */
public record UnaryAnswer(Json.Obj document, @Nullable Usage usage, Runnable whenDone) {
  public UnaryAnswer {
    Objects.requireNonNull(document, "document");
    Objects.requireNonNull(whenDone, "whenDone");
  }
}
