package io.strowger.core.wire;

import io.strowger.core.account.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.embeddings.EmbeddingsDecoder;
import io.strowger.core.preset.PresetCache;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;

/**
 * Reads the body of {@code POST /embeddings} into a request that is served as every other one is.
 * Embeddings fact sheet.
 */
final class EmbeddingsBodies implements RequestReader {
  private final BodyReader bodies;
  private final EmbeddingsDecoder decoder = new EmbeddingsDecoder();
  private final int problemLimit;

  EmbeddingsBodies(BodyReader bodies, int problemLimit) {
    this.bodies = bodies;
    this.problemLimit = problemLimit;
  }

  @Override
  public InferenceBodies.Read read(Caller caller, WireRequest wire) {
    Json.Obj body = bodies.read(wire);
    var problems = new Problems(problemLimit);
    EmbeddingsRequest embeddings = decoder.decode(body, problems);
    String session = SessionHeader.of(wire.headers(), body, problems);
    EmbeddingsRequest good = problems.good(embeddings);
    InferenceRequest request =
        InferenceRequest.builder(Dialect.CHAT, body)
            .kind(Endpoint.Kind.EMBEDDINGS)
            .models(List.of(good.model()))
            .preferences(good.preferences())
            .parameters(0)
            .sessionId(session)
            .user(good.user())
            .origin(OriginHeaders.of(wire.headers(), null))
            .build();
    return new InferenceBodies.Read(request, PresetCache.SILENT, null);
  }
}
