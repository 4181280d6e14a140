package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.unary.EmbeddingsDecoder;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EmbeddingsAnswer;
import io.strowger.spi.provider.EmbeddingsCall;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An adapter for embeddings as the attempt machine sees it: an answer that comes whole, whose
 * document is the list of embeddings in the order of the inputs and in the caller's encoding.
 * Nothing else of an upstream reaches the caller. Safe on any thread. Embeddings fact sheet.
 */
final class EmbeddingsAdapter implements ChatProvider {
  private final EmbeddingsProvider provider;
  private final EmbeddingsDecoder decoder = new EmbeddingsDecoder();

  EmbeddingsAdapter(EmbeddingsProvider provider) {
    this.provider = provider;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    EmbeddingsRequest request = request(call);
    EmbeddingsAnswer answer;
    try {
      answer =
          provider.embed(
              new EmbeddingsCall(
                  call.endpoint(),
                  call.credential(),
                  request,
                  call.endUser(),
                  call.longestSilence(),
                  call.cancellation(),
                  call.traceparent()));
    } catch (GatewayException ours) {
      return EventStream.of(List.of(new Event.Failed(ours.error(), null)));
    }
    EventStream events = null;
    try {
      events = new WholeEvents(document(answer, request), answer.usage(), answer.whenDone());
      return events;
    } finally {
      if (events == null) {
        answer.whenDone().run();
      }
    }
  }

  /** The request as it is now: a content filter may have changed its words. */
  private EmbeddingsRequest request(Call call) throws UpstreamException {
    EmbeddingsRequest request = decoder.decode(call.request().members(), new Problems());
    if (request == null) {
      throw new UpstreamException(
          Failure.of(FailureKind.INVALID_REQUEST, "what is left of the input cannot be embedded"));
    }
    return request;
  }

  private static Json.Obj document(EmbeddingsAnswer answer, EmbeddingsRequest request)
      throws UpstreamException {
    List<Json> vectors = answer.vectors();
    int wanted = request.input().count();
    if (vectors.size() != wanted) {
      throw protocol(vectors.size() + " embeddings for an input of " + wanted);
    }
    var encoding = Objects.requireNonNullElse(request.encoding(), EmbeddingsRequest.Encoding.FLOAT);
    var data = new ArrayList<Json>(wanted);
    long size = request.dimensions(); // 0 when the upstream chooses: then all are like the first
    for (int i = 0; i < wanted; i++) {
      EmbeddingVector vector = EmbeddingVector.of(vectors.get(i));
      if (vector == null) {
        throw protocol("an embedding that is neither numbers nor base64 of 32-bit floats");
      }
      if (size > 0 && vector.size() != size) {
        throw protocol("an embedding of " + vector.size() + " numbers where there must be " + size);
      }
      size = vector.size();
      Json written = vector.in(encoding);
      if (written == null) {
        throw protocol("an embedding with a number beyond 32-bit floats");
      }
      data.add(
          Json.object()
              .put("object", "embedding")
              .put("index", i)
              .put("embedding", written)
              .build());
    }
    return document(answer.source(), data);
  }

  private static Json.Obj document(Json.Obj source, List<Json> data) {
    Json.Obj.Builder document = Json.object();
    copy("id", source, document);
    document.put("object", "list").put("data", Json.array(data));
    copy("usage", source, document);
    return document.build();
  }

  private static void copy(String name, Json.Obj from, Json.Obj.Builder to) {
    Json value = from.get(name);
    if (value != null) {
      to.put(name, value);
    }
  }

  private static UpstreamException protocol(String message) {
    return new UpstreamException(Failure.of(FailureKind.PROTOCOL, message));
  }

  @Override
  public Json body(Call call) {
    return call.request().members();
  }

  @Override
  public void close() {
    provider.close();
  }
}
