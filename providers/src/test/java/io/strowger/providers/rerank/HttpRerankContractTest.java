package io.strowger.providers.rerank;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.simulated.UnaryLoopback;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.RerankRequest;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.UnaryProviderContract;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The adapter for rerank in the common form")
class HttpRerankContractTest extends UnaryProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new UnaryLoopback(ambient, Endpoint.Kind.RERANK);
  }

  @Override
  protected UnaryRequest request() {
    Json.Obj members =
        Json.object()
            .put("model", "acme/rank")
            .put("query", "which")
            .put("documents", Json.array(Json.of("one"), Json.of("two")))
            .build();
    return new RerankRequest(
        members,
        ModelRef.parse("acme/rank"),
        Json.of("which"),
        List.of(document("one"), document("two")),
        0,
        ProviderPreferences.NONE,
        null);
  }

  private static RerankRequest.Document document(String text) {
    return new RerankRequest.Document(Json.of(text), null);
  }

  @Override
  protected void check(Json.Obj document) {
    Json.Arr results = Objects.requireNonNull(document.list("results"));
    assertThat(results.size()).isEqualTo(2);
    for (int i = 0; i < 2; i++) {
      assertThat(results.get(i))
          .isInstanceOfSatisfying(
              Json.Obj.class,
              result -> {
                assertThat(result.longValue("index", -1)).isBetween(0L, 1L);
                assertThat(result.get("relevance_score")).isInstanceOf(Json.Num.class);
              });
    }
  }
}
