package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.RerankRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Objects;

/**
 * Generates a score for each document, from the document and the query only. A simulated upstream,
 * which answers {@code POST .../rerank}, generates the score from the document's index.
 */
final class SimulatedRerank implements UnaryProvider {
  private static final int STEPS = 1000;
  private static final int DOCUMENTS_PER_UNIT = 100;

  @Override
  public UnaryAnswer answer(UnaryCall call) {
    if (!(call.request() instanceof RerankRequest request)) {
      throw new IllegalArgumentException("this adapter serves rerank requests only");
    }
    var results = new ArrayList<Json>();
    for (int i = 0; i < request.documents().size(); i++) {
      results.add(result(i, Objects.hash(request.query(), request.documents().get(i).toJson())));
    }
    int units = Math.ceilDiv(request.documents().size(), DOCUMENTS_PER_UNIT);
    return new UnaryAnswer(
        Json.object().put("results", Json.array(results)).build(),
        Usage.builder().searchUnits(units).build(),
        () -> {});
  }

  static Json.Obj result(int index, int seed) {
    return Json.object()
        .put("index", index)
        .put("relevance_score", Json.of(BigDecimal.valueOf(Math.floorMod(seed, STEPS), 3)))
        .build();
  }

  /** Returns the number of documents, a space, and the number of requested results. */
  static String parameter(Json.Obj body) {
    Json.Arr documents = body.list("documents");
    int count = documents == null ? 1 : documents.size();
    return count + " " + body.longValue("top_n", count);
  }

  /** Returns an upstream's answer in the common form; results are in the documents' order. */
  static Json.Obj document(Script script, UpstreamProtocol.ParsedRequest parsedRequest) {
    String[] parameters = parsedRequest.parameter().split(" ");
    int documents = Integer.parseInt(parameters[0]);
    int count = Math.min(documents, Integer.parseInt(parameters[1]));
    var results = new ArrayList<Json>();
    for (int i = documents - count; i < documents; i++) {
      results.add(result(i, i + 1)); // the last is the best
    }
    Json.Obj units = Json.object().put("search_units", 1).build();
    return Json.object()
        .put("id", "rerank-upstream")
        .put("results", Json.array(results))
        .put("meta", Json.object().put("billed_units", units).build())
        .put("usage", Json.object().put("total_tokens", script.promptTokens()).build())
        .build();
  }

  @Override
  public void close() {
    // nothing to release
  }
}
