package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.simulated.Script;
import io.strowger.tck.conformance.Proves;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A second answer is the first one again, in every front and over every upstream dialect. */
@DisplayName("An answer from the response cache")
class DialectCacheTest {
  /** What is a second answer's own. */
  private static final Set<String> OWN =
      Set.of("id", "created", "created_at", "completed_at", "usage", "item_id", "response_id");

  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  static List<DialectFilterTest.Cell> cells() {
    return DialectFilterTest.cells();
  }

  private DialectGateway.Heard ask(DialectFilterTest.Cell cell, ObjectNode body) {
    return gateway.post(
        cell.front(),
        body.put("stream", cell.streaming()),
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-cache", "true"));
  }

  @Proves("resources.record.cache.hit")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is the same but for its name, its time and what it used, which is nothing")
  void again(DialectFilterTest.Cell cell) {
    gateway.upstream.script(
        "large",
        Script.builder()
            .reasoning("Let me see.")
            .text("It is noon, ä €.")
            .toolCall("call_1", "look", "{\"at\":\"the clock\"}")
            .tokens(100, 30)
            .tokenDetails(40, 12)
            .build());
    ObjectNode body = cell.front().withTool(cell.front().hello(cell.behind()), "look");
    DialectGateway.Heard first = ask(cell, body);
    DialectGateway.Heard second = ask(cell, body);
    assertThat(gateway.upstream.requests()).isEqualTo(1);
    assertThat(shape(cell, second)).isEqualTo(shape(cell, first));
    assertThat(second.said().used()).isEqualTo(new DialectSaid.Used(0, 0, 0, 0));
    assertThat(second.said().cost()).isZero();
    assertThat(first.said().cost()).isPositive();
    assertThat(zero(second.answer().path("usage"))).as(second.answer().path("usage") + "").isTrue();
    assertThat(second.answer().path("id")).isNotEqualTo(first.answer().path("id"));
    assertThat(gateway.records.get(1).cachedGeneration()).isEqualTo(gateway.records.get(0).id());
  }

  /** Every number in it is zero. */
  private static boolean zero(JsonNode usage) {
    if (usage.isNumber()) {
      return usage.asDouble() == 0;
    }
    for (JsonNode child : usage) {
      if (!zero(child)) {
        return false;
      }
    }
    return true;
  }

  private static List<JsonNode> shape(DialectFilterTest.Cell cell, DialectGateway.Heard heard) {
    List<JsonNode> frames = cell.streaming() ? heard.frames() : List.of(heard.json());
    frames.forEach(DialectCacheTest::strip);
    return frames;
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      Iterator<String> names = object.fieldNames();
      while (names.hasNext()) {
        if (OWN.contains(names.next())) {
          names.remove();
        }
      }
    }
    node.forEach(DialectCacheTest::strip);
  }
}
