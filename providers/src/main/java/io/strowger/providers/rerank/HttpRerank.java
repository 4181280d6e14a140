package io.strowger.providers.rerank;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.upstream.UnaryUpstreamClient;
import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.RerankRequest;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The adapter for rerank services, with the request form that most share: {@code POST rerank} with
 * {@code model}, {@code query}, {@code documents} and {@code top_n}, answered with {@code results}
 * or {@code data}. A document that is only a text is sent as a string, which all services accept;
 * other documents are sent as they came. Embeddings fact sheet, {@code /rerank}.
 */
public final class HttpRerank implements UnaryProvider {
  private final UnaryUpstreamClient client;

  /**
   * @param transport the transport, which its owner closes after this adapter
   * @param memory the memory for answers, shared with other adapters
   */
  public HttpRerank(Transport transport, ProviderSettings settings, AnswerMemory memory) {
    this.client = new UnaryUpstreamClient(transport, settings, memory, "rerank");
  }

  @Override
  public UnaryAnswer answer(UnaryCall call) throws UpstreamException {
    return client.send(call, body(call), HttpRerank::answer);
  }

  private static JsonOutput body(UnaryCall call) {
    Json.Obj body =
        call.request()
            .members()
            .without("user")
            .with("model", Json.of(call.endpoint().upstreamModel()))
            .with("documents", documents(call.request()));
    JsonOutput out = JsonOutput.withByteReferences(1 << 10);
    body.writeTo(out);
    return out;
  }

  private static Json documents(UnaryRequest request) {
    if (!(request instanceof RerankRequest rerank)) {
      throw new IllegalArgumentException("this adapter serves rerank requests only");
    }
    var documents = new ArrayList<Json>(rerank.documents().size());
    for (RerankRequest.Document document : rerank.documents()) {
      Json.Str text = document.text();
      documents.add(text != null && document.image() == null ? text : document.toJson());
    }
    return Json.array(documents);
  }

  private static @Nullable UnaryAnswer answer(Json.Obj document, Runnable release) {
    Json.Arr resultList = document.list("results");
    Json.Arr items = resultList == null ? document.list("data") : resultList;
    if (items == null) {
      return null;
    }
    var results = new ArrayList<Json>(items.size());
    for (Json item : items) {
      results.add(item instanceof Json.Obj result ? withRelevanceScore(result) : item);
    }
    return new UnaryAnswer(
        Json.object().put("results", Json.array(results)).build(), usage(document), release);
  }

  /** Adds {@code relevance_score} where an upstream sends {@code score} only. */
  private static Json.Obj withRelevanceScore(Json.Obj result) {
    Json score = result.get("score");
    return score == null || result.has("relevance_score")
        ? result
        : result.with("relevance_score", score);
  }

  /**
   * Returns the usage; null when the upstream reports no units and no tokens, since a bill needs a
   * count.
   */
  private static @Nullable Usage usage(Json.Obj document) {
    Json.Obj usage = document.object("usage");
    Json.Obj meta = document.object("meta");
    Json.Obj billedUnits = meta == null ? null : meta.object("billed_units");
    long units =
        Math.max(
            UsageCounts.of(billedUnits, "search_units"), UsageCounts.of(usage, "search_units"));
    long tokens =
        Math.max(
            UsageCounts.of(billedUnits, "input_tokens"),
            Math.max(
                UsageCounts.of(usage, "total_tokens"), UsageCounts.of(usage, "prompt_tokens")));
    return units + tokens == 0
        ? null
        : Usage.builder().searchUnits(units).freshInput(tokens).build();
  }

  @Override
  public void close() {
    client.close();
  }
}
