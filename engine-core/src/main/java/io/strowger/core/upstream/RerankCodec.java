package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.unary.RerankDecoder;
import io.strowger.core.meter.SearchUnits;
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

  private record Result(int index, double score, Json spelled) {}

  @Override
  public @Nullable RerankRequest decode(
      Json.Obj members, @Nullable UploadedFile upload, Problems problems) {
    return decoder.decode(members, problems);
  }

  @Override
  public CheckedAnswer check(UnaryAnswer answer, RerankRequest request, Pricing pricing)
      throws UpstreamException {
    Json.Arr given = answer.document().list("results");
    if (given == null) {
      throw UnaryCodec.protocol("an answer without results");
    }
    List<Result> results = results(given, request);
    if (results.size() < request.results()) {
      throw UnaryCodec.protocol(
          results.size() + " results where " + request.results() + " were asked for");
    }
    results.sort(Comparator.comparingDouble(Result::score).reversed());
    var written = new ArrayList<Json>(request.results());
    for (Result result : results.subList(0, request.results())) {
      written.add(
          Json.object()
              .put("index", result.index())
              .put("relevance_score", result.spelled())
              .put("document", request.documents().get(result.index()).toJson())
              .build());
    }
    return new CheckedAnswer(
        Json.object().put("results", Json.array(written)).build(),
        SearchUnits.of(answer.usage(), request.members(), pricing));
  }

  private static List<Result> results(Json.Arr given, RerankRequest request)
      throws UpstreamException {
    int documents = request.documents().size();
    var seen = new BitSet(documents);
    var results = new ArrayList<Result>(Math.min(given.size(), documents));
    for (int i = 0; i < given.size(); i++) {
      Json.Obj item = given.get(i) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
      long index = item.whole("index", -1);
      if (index < 0 || index >= documents || seen.get((int) index)) {
        throw UnaryCodec.protocol("a result of none of the " + documents + " documents");
      }
      seen.set((int) index);
      results.add(result((int) index, item.get("relevance_score")));
    }
    return results;
  }

  private static Result result(int index, @Nullable Json given) throws UpstreamException {
    double score =
        given instanceof Json.Num number ? Double.parseDouble(number.spelling()) : Double.NaN;
    if (given == null || !Double.isFinite(score)) {
      throw UnaryCodec.protocol("a score that is no number");
    }
    return new Result(index, score, given);
  }
}
