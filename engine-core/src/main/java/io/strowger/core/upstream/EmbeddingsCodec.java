package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.unary.EmbeddingsDecoder;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.provider.EmbeddingsAnswer;
import io.strowger.spi.provider.EmbeddingsCall;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks embeddings and writes them in the order of the inputs and in the caller's encoding. Of the
 * upstream's other members only id and usage reach the caller. Embeddings fact sheet.
 */
final class EmbeddingsCodec implements UnaryCodec<EmbeddingsRequest> {
  private static final String DATA = "data";

  private final EmbeddingsDecoder decoder = new EmbeddingsDecoder();

  /**
   * Presents an adapter for embeddings as a unary adapter; the vectors are the answer's {@code
   * data}.
   */
  record Provider(EmbeddingsProvider embeddings) implements UnaryProvider {
    @Override
    public UnaryAnswer answer(UnaryCall call) throws UpstreamException {
      EmbeddingsAnswer answer =
          embeddings.embed(
              new EmbeddingsCall(
                  call.endpoint(),
                  call.credential(),
                  (EmbeddingsRequest) call.request(),
                  call.endUser(),
                  call.readTimeout(),
                  call.cancellation(),
                  call.traceparent()));
      return new UnaryAnswer(
          answer.source().with(DATA, Json.array(answer.vectors())),
          answer.usage(),
          answer.whenDone());
    }

    @Override
    public void close() {
      embeddings.close();
    }
  }

  @Override
  public @Nullable EmbeddingsRequest decode(
      Json.Obj members, @Nullable UploadedFile upload, Problems problems) {
    return decoder.decode(members, problems);
  }

  @Override
  public String unreadableMessage() {
    return "the input cannot be embedded after content filters";
  }

  @Override
  public CheckedAnswer check(UnaryAnswer answer, EmbeddingsRequest request, Pricing pricing)
      throws UpstreamException {
    List<Json> vectors = Objects.requireNonNull(answer.document().list(DATA));
    int expectedCount = request.input().count();
    if (vectors.size() != expectedCount) {
      throw UnaryCodec.protocolFailure(
          vectors.size() + " embeddings for an input of " + expectedCount);
    }
    var encoding = Objects.requireNonNullElse(request.encoding(), EmbeddingsRequest.Encoding.FLOAT);
    var data = new ArrayList<Json>(expectedCount);
    // 0 when the upstream chooses: then all have the size of the first
    long size = request.dimensions();
    for (int i = 0; i < expectedCount; i++) {
      EmbeddingVector vector = EmbeddingVector.of(vectors.get(i));
      if (vector == null) {
        throw UnaryCodec.protocolFailure(
            "an embedding that is neither numbers nor base64 of 32-bit floats");
      }
      if (size > 0 && vector.size() != size) {
        throw UnaryCodec.protocolFailure(
            "an embedding of " + vector.size() + " numbers where there must be " + size);
      }
      size = vector.size();
      Json encoded = vector.encode(encoding);
      if (encoded == null) {
        throw UnaryCodec.protocolFailure("an embedding with a number beyond 32-bit floats");
      }
      data.add(
          Json.object()
              .put("object", "embedding")
              .put("index", i)
              .put("embedding", encoded)
              .build());
    }
    return new CheckedAnswer(document(answer.document(), data), answer.usage());
  }

  private static Json.Obj document(Json.Obj source, List<Json> data) {
    Json.Obj.Builder document = Json.object();
    UnaryCodec.copy(List.of("id"), source, document);
    document.put("object", "list").put(DATA, Json.array(data));
    UnaryCodec.copy(List.of("usage"), source, document);
    return document.build();
  }
}
