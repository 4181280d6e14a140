package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.preset.PresetCacheSettings;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.UnaryRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of {@code POST /embeddings} and other requests that are answered with one
 * document. Embeddings fact sheet.
 */
final class UnaryBodyReader implements RequestReader {
  private final BodyReader bodyReader;
  private final int problemLimit;
  private final Endpoint.Kind kind;
  private final Decoder decoder;

  /** Decodes a body; returns null when a problem was noted. */
  @FunctionalInterface
  interface Decoder {
    @Nullable UnaryRequest decode(Json.Obj body, Problems problems);
  }

  UnaryBodyReader(BodyReader bodyReader, int problemLimit, Endpoint.Kind kind, Decoder decoder) {
    this.bodyReader = bodyReader;
    this.problemLimit = problemLimit;
    this.kind = kind;
    this.decoder = decoder;
  }

  @Override
  public InferenceBodyReader.ReadResult read(Caller caller, WireRequest wire) {
    Json.Obj body = bodyReader.read(wire);
    var problems = new Problems(problemLimit);
    UnaryRequest decodedRequest = decoder.decode(body, problems);
    String session = SessionHeader.of(wire.headers(), body, problems);
    UnaryRequest validRequest = problems.requireValid(decodedRequest);
    InferenceRequest request =
        InferenceRequest.builder(Dialect.CHAT, body)
            .kind(kind)
            .models(List.of(validRequest.model()))
            .preferences(validRequest.preferences())
            .parameters(0)
            .sessionId(session)
            .user(validRequest.user())
            .origin(OriginHeaders.of(wire.headers(), null))
            .build();
    return new InferenceBodyReader.ReadResult(request, PresetCacheSettings.UNSET, null);
  }
}
