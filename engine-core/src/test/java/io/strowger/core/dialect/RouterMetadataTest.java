package io.strowger.core.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.DeliveryState;
import io.strowger.core.inference.Replies;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Router metadata")
class RouterMetadataTest {
  private static final Endpoint LARGE = Given.endpoint("alpha", "acme/large", "1");
  private static final Endpoint FREE = Given.endpoint("alpha", "acme/tiny:free", "0");
  private static final Catalog CATALOG =
      Catalog.builder("test")
          .add(
              ModelInfo.builder("acme/large")
                  .aliases(List.of("acme/big"))
                  .family("acme/large")
                  .createdAt(Instant.EPOCH)
                  .build(),
              List.of(LARGE))
          .add(ModelInfo.builder("acme/tiny:free").build(), List.of(FREE))
          .build();

  private static String text(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  private static DeliveryState deliveryOf(
      String models, @Nullable PlannedAttempt selected, TraceEntry... trace) {
    List<ModelRef> refs =
        models.isEmpty() ? List.of() : Stream.of(models.split(" ")).map(ModelRef::parse).toList();
    List<PlannedAttempt> candidates = selected == null ? List.of() : List.of(selected);
    var plan = new RoutePlan.Attempts(candidates, () -> List.of(trace));
    return new DeliveryState(refs, CATALOG, plan, List.of(), selected, 1, -1);
  }

  @Proves({"routing.fallback.attempt", "routing.other.metadata"})
  @Test
  @DisplayName(
      "names the requested model, the available endpoints, the attempts and the one that answered")
  void delivered() {
    assertThat(text(RouterMetadata.of(Replies.delivery("acme/large", Replies.alpha(), 2))))
        .isEqualTo(
            "{'requested':'acme/large','strategy':'direct','region':null,"
                + "'summary':'available=2, selected=alpha','attempt':2,'is_byok':false,"
                + "'endpoints':{'total':3,'available':[{'provider':'beta','model':'acme/large',"
                + "'selected':false},{'provider':'alpha','model':'acme/large','selected':true}]},"
                + "'attempts':[{'provider':'beta','model':'acme/large','status':503},"
                + "{'provider':'alpha','model':'acme/large','status':200}],"
                + "'generation_time':12}");
  }

  @Proves("routing.fallback.attempt")
  @Test
  @DisplayName("marks no endpoint as selected when none answered")
  void refused() {
    Json.Obj metadata = RouterMetadata.of(Replies.delivery("acme/large", null, 0));
    assertThat(metadata.text("summary")).isEqualTo("available=2");
    assertThat(text(metadata)).doesNotContain("'selected':true").contains("'attempt':0");
  }

  @Proves({"routing.other.metadata", "open.42"})
  @Test
  @DisplayName("has its required members even before a decision was made")
  void undecided() {
    var deliveryState =
        new DeliveryState(
            List.of(ModelRef.parse("acme/large")), CATALOG, null, List.of(), null, 0, -1);
    assertThat(text(RouterMetadata.of(deliveryState)))
        .isEqualTo(
            "{'requested':'acme/large','strategy':'direct','region':null,'summary':'available=0',"
                + "'attempt':0,'is_byok':false,'endpoints':{'total':0,'available':[]}}");
  }

  @Proves({
    "routing.variant.latest",
    "routing.variant.alias",
    "routing.fallback.fallbacks",
    "routing.other.metadata",
    "plugins.pipeline.strategy",
    "open.45"
  })
  @ParameterizedTest
  @CsvSource({
    "acme/large, 0, direct",
    "ACME/Large, 0, direct",
    "acme/large:nitro, 0, direct",
    "acme/tiny:free, 0, direct",
    "acme/big, 0, alias",
    "~acme/large-latest, 0, latest",
    "acme/tiny:free acme/large, 1, fallback",
    "acme/tiny:free acme/big, 1, fallback",
    "acme/big, -1, alias",
    "nobody/knows, -1, direct",
    "'', 0, direct",
    "'', -1, direct",
    "router/auto, 0, auto",
    "router/auto, -1, auto",
    "Router/Auto-Beta:nitro, 0, auto",
    "router/free, 0, free",
    "router/pareto-code, 0, pareto",
    "router/fusion, 0, fusion",
    "acme/tiny:free router/auto, 1, auto",
    "router/auto acme/large, 1, fallback",
  })
  @DisplayName(
      "names the strategy, by the requested models and the position of the one that answered")
  void strategy(String models, int place, String strategy) {
    @Nullable PlannedAttempt selected =
        place < 0 ? null : new PlannedAttempt(LARGE, place, null, false);
    assertThat(RouterMetadata.of(deliveryOf(models, selected)).text("strategy"))
        .isEqualTo(strategy);
  }

  @Proves({"routing.other.metadata", "plugins.pipeline.plugin"})
  @Test
  @DisplayName("lists a stage for each router that changed something, and its floors under params")
  void pipeline() {
    Json.Obj data = Json.object().put("task_type", "coding").put("quality_floor", 70).build();
    Json.Obj metadata =
        RouterMetadata.of(
            deliveryOf(
                "acme/best",
                PlannedAttempt.of(LARGE),
                new TraceEntry.Routed("best-router", "acme/best", "best of 2", data),
                new TraceEntry.Routed(
                    "house-router", "", TraceEntry.Routed.NO_OPINION, Json.Obj.EMPTY),
                new TraceEntry.Routed("other-router", "", "cheapest", Json.Obj.EMPTY)));
    assertThat(metadata.text("strategy")).isEqualTo("auto");
    assertThat(text(metadata))
        .contains("'params':{'quality_floor':70}")
        .contains(
            "'pipeline':[{'type':'plugin','name':'best-router','summary':'best of 2',"
                + "'data':{'task_type':'coding'}},"
                + "{'type':'plugin','name':'other-router','summary':'cheapest'}]");
  }

  @Test
  @DisplayName(
      "tells whether a BYOK key was used, and counts an endpoint once, however many keys it has")
  void byok() {
    PlannedAttempt byokAttempt = new PlannedAttempt(LARGE, 0, "k1", false);
    var plan = new RoutePlan.Attempts(List.of(byokAttempt, PlannedAttempt.of(LARGE)), List::of);
    var models = List.of(ModelRef.parse("acme/large"));
    Json.Obj metadata =
        RouterMetadata.of(new DeliveryState(models, CATALOG, plan, List.of(), byokAttempt, 1, -1));
    assertThat(text(metadata))
        .contains("'summary':'available=1, selected=alpha'")
        .contains("'is_byok':true")
        .contains("'total':1,");
  }

  @Test
  @DisplayName("counts each endpoint that rules excluded once, and those that a narrower set aside")
  void total() {
    Json.Obj metadata =
        RouterMetadata.of(
            deliveryOf(
                "acme/large",
                PlannedAttempt.of(LARGE),
                new TraceEntry.Excluded("acme/large@beta", "provider.ignore", "ignored"),
                new TraceEntry.Excluded("acme/large@beta", "budget", "too dear"),
                new TraceEntry.Narrowed("acme/large", "tools", 1, 2)));
    assertThat(text(metadata)).contains("'total':4,");
  }
}
