package io.strowger.core.flow;

import io.strowger.core.meter.PromptSize;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.RoutingQuery;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns a request into the query a decision is made from. Pure. */
public final class Question {
  private Question() {}

  public static RoutingQuery of(
      InferenceRequest request,
      PromptSize size,
      Snapshot snapshot,
      @Nullable Usd budget,
      Instant at,
      long seed) {
    return RoutingQuery.builder(snapshot.catalog().version())
        .models(models(request, snapshot))
        .preferences(request.preferences())
        .account(snapshot.account())
        .parameters(request.parameters())
        .inputModalities(size.modalities())
        .promptCeiling(size.ceiling())
        .outputLimit(request.maxOutputTokens())
        .defaultOutputTokens(snapshot.defaultOutputTokens())
        .budget(budget)
        .at(at)
        .seed(seed)
        .build();
  }

  private static List<ModelRef> models(InferenceRequest request, Snapshot snapshot) {
    String standard = snapshot.defaultModel();
    return request.models().isEmpty() && standard != null
        ? List.of(ModelRef.parse(standard))
        : request.models();
  }
}
