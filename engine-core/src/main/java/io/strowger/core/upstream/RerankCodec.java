package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.unary.RerankDecoder;
import io.strowger.core.meter.RerankSize;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.RerankRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks reranked documents: as many as were asked for, each once, each with a score that is a
 * number. Writes the best first; scores are unchanged, documents are as the caller sent them.
 * Embeddings fact sheet, {@code /rerank}.
 */
final class RerankCodec implements UnaryCodec<RerankRequest> {
  private final RerankDecoder decoder = new RerankDecoder();

  private record Result(int index, double score, Json jsonScore) {}

  @Override
  public @Nullable RerankRequest decode(
      Json.Obj members, @Nullable UploadedFile upload, Problems problems) {
    return decoder.decode(members, problems);
  }

  @Override
  public CheckedAnswer check(UnaryAnswer answer, RerankRequest request, Pricing pricing)
      throws UpstreamException {
    Json.Arr items = answer.document().list("results");
    if (items == null) {
      throw UnaryCodec.protocolFailure("an answer without results");
    }
    List<Result> results = results(items, request);
    if (results.size() < request.results()) {
      throw UnaryCodec.protocolFailure(
          results.size() + " results where " + request.results() + " were asked for");
    }
    results.sort(Comparator.comparingDouble(Result::score).reversed());
    var output = new ArrayList<Json>(request.results());
    for (Result result : results.subList(0, request.results())) {
      output.add(
          Json.object()
              .put("index", result.index())
              .put("relevance_score", result.jsonScore())
              .put("document", request.documents().get(result.index()).toJson())
              .build());
    }
    return new CheckedAnswer(
        Json.object().put("results", Json.array(output)).build(),
        RerankSize.used(answer.usage(), request.members(), pricing));
  }

  private static List<Result> results(Json.Arr items, RerankRequest request)
      throws UpstreamException {
    int documents = request.documents().size();
    var seen = new BitSet(documents);
    var results = new ArrayList<Result>(Math.min(items.size(), documents));
    for (int i = 0; i < items.size(); i++) {
      Json.Obj item = items.get(i) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
      long index = item.longValue("index", -1);
      if (index < 0 || index >= documents || seen.get((int) index)) {
        throw UnaryCodec.protocolFailure(
            "a result with a wrong or repeated index; there are " + documents + " documents");
      }
      seen.set((int) index);
      results.add(result((int) index, item.get("relevance_score")));
    }
    return results;
  }

  private static Result result(int index, @Nullable Json value) throws UpstreamException {
    double score =
        value instanceof Json.Num number ? Double.parseDouble(number.spelling()) : Double.NaN;
    if (value == null || !Double.isFinite(score)) {
      throw UnaryCodec.protocolFailure("a score that is no number");
    }
    return new Result(index, score, value);
  }
}
