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

/**
 * Tests that a cached answer equals the first one, for every dialect of the caller and of the
 * upstream.
 */
@DisplayName("An answer from the response cache")
class DialectCacheTest {
  /** The members in which a cached answer differs from the first one. */
  private static final Set<String> DIFFERENT =
      Set.of("id", "created", "created_at", "completed_at", "usage", "item_id", "response_id");

  private final DialectGateway gateway = new DialectGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  static List<DialectFilterTest.Cell> cells() {
    return DialectFilterTest.cells();
  }

  private DialectGateway.TestResponse ask(DialectFilterTest.Cell cell, ObjectNode body) {
    return gateway.post(
        cell.client(),
        body.put("stream", cell.streaming()),
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-cache", "true"));
  }

  @Proves("resources.record.cache.hit")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "equals the first answer, except for its ids, its times and its usage, which is zero")
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
    ObjectNode body = cell.client().withTool(cell.client().hello(cell.upstream()), "look");
    DialectGateway.TestResponse first = ask(cell, body);
    DialectGateway.TestResponse second = ask(cell, body);
    assertThat(gateway.upstream.requests()).isEqualTo(1);
    assertThat(comparable(cell, second)).isEqualTo(comparable(cell, first));
    assertThat(second.content().tokens()).isEqualTo(new DialectContent.Tokens(0, 0, 0, 0));
    assertThat(second.content().cost()).isZero();
    assertThat(first.content().cost()).isPositive();
    assertThat(isZero(second.answer().path("usage")))
        .as(second.answer().path("usage") + "")
        .isTrue();
    assertThat(second.answer().path("id")).isNotEqualTo(first.answer().path("id"));
    assertThat(gateway.records.get(1).cachedGeneration()).isEqualTo(gateway.records.get(0).id());
  }

  /** Returns whether every number in the usage is zero. */
  private static boolean isZero(JsonNode usage) {
    if (usage.isNumber()) {
      return usage.asDouble() == 0;
    }
    for (JsonNode child : usage) {
      if (!isZero(child)) {
        return false;
      }
    }
    return true;
  }

  private static List<JsonNode> comparable(
      DialectFilterTest.Cell cell, DialectGateway.TestResponse response) {
    List<JsonNode> frames = cell.streaming() ? response.frames() : List.of(response.json());
    frames.forEach(DialectCacheTest::removeDifferent);
    return frames;
  }

  private static void removeDifferent(JsonNode node) {
    if (node instanceof ObjectNode object) {
      Iterator<String> names = object.fieldNames();
      while (names.hasNext()) {
        if (DIFFERENT.contains(names.next())) {
          names.remove();
        }
      }
    }
    node.forEach(DialectCacheTest::removeDifferent);
  }
}
