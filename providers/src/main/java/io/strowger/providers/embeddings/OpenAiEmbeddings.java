package io.strowger.providers.embeddings;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.upstream.TransportErrorClassifier;
import io.strowger.providers.upstream.UnaryUpstreamClient;
import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EmbeddingsAnswer;
import io.strowger.spi.provider.EmbeddingsCall;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The adapter for upstreams with the OpenAI embeddings API: {@code POST embeddings}. The body is
 * passed on except for the model and the end user. Embeddings are returned in the form the upstream
 * sent, such as base64. Embeddings fact sheet.
 */
public final class OpenAiEmbeddings implements EmbeddingsProvider {
  private final UnaryUpstreamClient client;

  /**
   * @param transport the transport, which its owner closes after this adapter
   * @param memory the memory for answers, shared with other adapters
   */
  public OpenAiEmbeddings(Transport transport, ProviderSettings settings, AnswerMemory memory) {
    this.client = new UnaryUpstreamClient(transport, settings, memory, "embeddings");
  }

  @Override
  public EmbeddingsAnswer embed(EmbeddingsCall call) throws UpstreamException {
    return client.send(call, body(call), OpenAiEmbeddings::answer);
  }

  private static @Nullable EmbeddingsAnswer answer(Json.Obj document, Runnable release)
      throws UpstreamException {
    Json.Arr data = document.list("data");
    return data == null
        ? null
        : new EmbeddingsAnswer(vectors(data), usage(document.object("usage")), document, release);
  }

  private static JsonOutput body(EmbeddingsCall call) {
    Json.Obj members = call.request().members();
    Json.Obj body =
        UnaryUpstreamClient.withUser(
            members.with("model", Json.of(call.endpoint().upstreamModel())), call.endUser());
    JsonOutput out = JsonOutput.withByteReferences(Math.min(8 << 10, members.sourceLength() + 256));
    body.writeTo(out);
    return out;
  }

  /** Returns the vectors in the order of their indexes, which may differ from that of the array. */
  private static List<Json> vectors(Json.Arr data) throws UpstreamException {
    var vectors = new Json[data.size()];
    for (int i = 0; i < vectors.length; i++) {
      Json.Obj item = data.get(i) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
      Json vector = item.get("embedding");
      long index = item.longValue("index", -1);
      if (vector == null || index < 0 || index >= vectors.length || vectors[(int) index] != null) {
        throw TransportErrorClassifier.protocolException(
            "the upstream sent an embedding without a vector, or whose index is missing, repeated"
                + " or not below "
                + vectors.length);
      }
      vectors[(int) index] = vector;
    }
    return new ArrayList<>(Arrays.asList(vectors));
  }

  /** Returns the usage; null when the upstream reports none. */
  private static @Nullable Usage usage(Json.@Nullable Obj reported) {
    if (reported == null) {
      return null;
    }
    long prompt =
        UsageCounts.of(reported, reported.has("prompt_tokens") ? "prompt_tokens" : "total_tokens");
    Json.Obj details = reported.object("prompt_tokens_details");
    long audio = details == null ? 0 : Math.min(prompt, UsageCounts.of(details, "audio_tokens"));
    return Usage.builder().freshInput(prompt - audio).inputAudio(audio).build();
  }

  @Override
  public void close() {
    client.close();
  }
}
