package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.preset.PresetCacheSettings;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UnaryRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of {@code POST /embeddings} and other requests that are answered with one
 * document. Embeddings fact sheet.
 */
record UnaryBodyReader(BodyReader bodyReader, int problemLimit, Endpoint.Kind kind, Decoder decoder)
    implements RequestReader {
  /** Decodes a body; returns null when a problem was noted. */
  @FunctionalInterface
  interface Decoder {
    @Nullable UnaryRequest decode(Json.Obj body, Problems problems);
  }

  @Override
  public Result read(Caller caller, WireRequest wire) {
    Json.Obj body = bodyReader.read(wire);
    var problems = new Problems(problemLimit);
    return result(kind, decoder.decode(body, problems), body, wire, problems);
  }

  /**
   * Returns a request that was decoded.
   *
   * @param decoded null when a problem was noted
   * @param members the members of its body, without an uploaded file
   * @throws io.strowger.spi.error.GatewayException 400 with every problem
   */
  static Result result(
      Endpoint.Kind kind,
      @Nullable UnaryRequest decoded,
      Json.Obj members,
      WireRequest wire,
      Problems problems) {
    String session = RequestHeaders.session(wire.headers(), members, problems);
    UnaryRequest valid = problems.requireValid(decoded);
    InferenceRequest.Builder request =
        InferenceRequest.builder(Dialect.CHAT, members)
            .kind(kind)
            .models(List.of(valid.model()))
            .preferences(valid.preferences())
            .parameters(0)
            .sessionId(session)
            .user(valid.user())
            .origin(RequestHeaders.origin(wire.headers(), null));
    if (valid instanceof TranscriptionRequest transcription) {
      request.upload(transcription.audio());
    }
    return new Result(request.build(), PresetCacheSettings.UNSET, null);
  }
}
