package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.DialectGateway.TestResponse;
import io.strowger.simulated.Script;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.observe.CallRecord;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests moderation and the filters of an account for answers. Plugins fact sheet, section 10. */
@DisplayName("Moderation and filters of answers")
class ModerationTest {
  private static final String MAIL = "joe.secret@example.com";
  private static final String CARD = "4111 1111 1111 1111";
  private static final String SSN = "123-45-6789";

  private static final String SETTINGS =
      ",'plugins':{'settings':{'moderation':{"
          + "'requests':{'credit-card':'block','email':'redact','ip-address':'off'},"
          + "'answers':{'email':'redact','ssn':'block','project':'redact','endless':'redact'},"
          + "'patterns':[{'name':'project','pattern':'(?i)\\\\bproject [a-z]+-[0-9]+'},"
          + "{'name':'endless','pattern':'START.*END'}]}}}";

  private static final String OUTPUT_FILTERS =
      ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
          + "{'slug':'email','action':'redact','direction':'both'},"
          + "{'slug':'ssn','action':'block','direction':'output'}],'content_filters':["
          + "{'pattern':'(?i)project [a-z]+-[0-9]+','action':'redact','direction':'output'}]}]}";

  record Cell(DialectClient client, DialectUpstream upstream, boolean streaming) {
    @Override
    public String toString() {
      return client + " over " + upstream + (streaming ? ", streamed" : ", whole");
    }

    ObjectNode request(String text) {
      ObjectNode request = client.hello(upstream);
      return (ObjectNode) DialectClient.parse(request.toString().replace("Hello", text)).deepCopy();
    }

    ObjectNode moderatedRequest(String text) {
      ObjectNode request = request(text).put("stream", streaming);
      request.set("plugins", DialectClient.json("[{'id':'moderation'}]"));
      return request;
    }
  }

  static List<Cell> cells() {
    var cells = new ArrayList<Cell>();
    for (DialectClient client : DialectClient.values()) {
      for (DialectUpstream upstream : DialectUpstream.values()) {
        cells.add(new Cell(client, upstream, false));
        cells.add(new Cell(client, upstream, true));
      }
    }
    return cells;
  }

  private static JsonNode stages(TestResponse response) {
    String body = response.body();
    JsonNode pipeline =
        find(body.startsWith("{") ? response.json() : framesOf(response), "pipeline");
    return pipeline == null ? DialectClient.array() : pipeline;
  }

  private static JsonNode framesOf(TestResponse response) {
    var all = DialectClient.array();
    response.frames().forEach(all::add);
    return all;
  }

  private static JsonNode find(JsonNode in, String name) {
    return in.findValue(name);
  }

  private static void assertStage(TestResponse response, String name, String decision) {
    assertThat(stages(response))
        .anySatisfy(
            stage -> {
              assertThat(stage.path("type").asText()).isEqualTo("guardrail");
              assertThat(stage.path("name").asText()).isEqualTo(name);
              assertThat(stage.at("/data/flagged").asBoolean()).isTrue();
              assertThat(stage.at("/data/decision").asText()).isEqualTo(decision);
            });
  }

  @Proves({"plugin.moderation", "plugins.pipeline.guardrail", "plugins.other.moderation"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("Row 10 stage: moderation without an action flags the text and does not change it")
  void flags(Cell cell) {
    try (var gateway = new DialectGateway(",'moderation':{'answers':true}")) {
      String answer = "Write to " + MAIL + " or pay with " + CARD + ".";
      gateway.upstream.script("large", Script.builder().text(answer).chunks(9).build());

      TestResponse response = gateway.post(cell.client, cell.moderatedRequest("I am " + MAIL));

      assertThat(response.content().text()).isEqualTo(answer);
      assertThat(gateway.sent().toString()).contains(MAIL);
      assertStage(response, "moderation", "flag");
      assertThat(stages(response).toString()).contains("email").contains("credit-card");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("moderation that finds nothing reports nothing")
  void nothing(Cell cell) {
    try (var gateway = new DialectGateway(SETTINGS)) {
      gateway.upstream.script("large", Script.builder().text("All is well at 5").chunks(4).build());
      TestResponse response = gateway.post(cell.client, cell.moderatedRequest("How are you?"));
      assertThat(response.content().text()).isEqualTo("All is well at 5");
      assertThat(stages(response)).isEmpty();
    }
  }

  private static Script secrets() {
    return Script.builder()
        .reasoning("The user is " + MAIL + ", of Project blue-17.")
        .text("Write to " + MAIL + " about project red-1 now")
        .toolCall("c1", "send", "{\"to\":\"" + MAIL.replace("@", "\\u0040") + "\",\"n\":5}")
        .chunks(17)
        .build();
  }

  private static void assertRedacted(Cell cell, TestResponse response) {
    assertThat(response.body())
        .doesNotContain("joe.secret")
        .doesNotContain("oe.secret")
        .doesNotContainIgnoringCase("project blue")
        .doesNotContainIgnoringCase("red-1");
    DialectContent content = response.content();
    assertThat(content.text()).isEqualTo("Write to [EMAIL] about [REDACTED] now");
    assertThat(content.calls())
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.name()).isEqualTo("send");
              assertThat(call.arguments()).isEqualTo(DialectClient.json("{'to':'[EMAIL]','n':5}"));
            });
  }

  private static ObjectNode withTool(Cell cell, ObjectNode request) {
    return cell.client.withTool(cell.client.withThinking(request), "send");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("an answer is redacted in text, reasoning and arguments, and no byte gets through")
  void redacts(Cell cell) {
    try (var gateway = new DialectGateway(SETTINGS)) {
      gateway.upstream.script("large", secrets());
      TestResponse response =
          gateway.post(cell.client, withTool(cell, cell.moderatedRequest("Hello")));
      assertRedacted(cell, response);
      assertStage(response, "moderation", "redact");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("filters of an account whose direction is output redact answers in the same way")
  void accountRedacts(Cell cell) {
    try (var gateway = new DialectGateway(OUTPUT_FILTERS)) {
      gateway.upstream.script("large", secrets());
      ObjectNode request = withTool(cell, cell.request("I am " + MAIL + ", " + SSN));
      TestResponse response = gateway.post(cell.client, request, cell.streaming);
      assertRedacted(cell, response);
      assertStage(response, "content-filter", "redact");
      assertThat(gateway.sent().toString()).contains("I am [EMAIL], " + SSN);
    }
  }

  @Proves("plugins.other.moderation")
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("an answer that begins with blocked text becomes a 403 with the contract's metadata")
  void blocksAtOnce(Cell cell) {
    try (var gateway = new DialectGateway(SETTINGS)) {
      gateway.upstream.script("large", Script.builder().text(SSN + " it is").chunks(6).build());

      String question = "What is my number?".repeat(10);
      TestResponse response = gateway.post(cell.client, cell.moderatedRequest(question));

      assertThat(response.status()).isEqualTo(403);
      assertThat(response.body()).doesNotContain("123-45").contains("ssn");
      JsonNode metadata = find(response.json(), "metadata");
      if (cell.client == DialectClient.CHAT) {
        assertThat(metadata.path("reasons")).isEqualTo(DialectClient.json("['ssn']"));
        assertThat(metadata.path("flagged_input").asText())
            .hasSizeLessThanOrEqualTo(100)
            .contains("...")
            .startsWith("What is my number?");
        assertThat(metadata.path("provider_name").asText()).isEqualTo("gateway");
        assertThat(metadata.path("model_slug").asText()).isEqualTo("acme/" + cell.upstream.slug());
      }
      assertBilled(gateway, CallRecord.Outcome.ERROR);
    }
  }

  /** Asserts that what the upstream sent before it was stopped is billed. */
  private static void assertBilled(DialectGateway gateway, CallRecord.Outcome outcome) {
    CallRecord record = gateway.records.getLast();
    assertThat(gateway.records).hasSize(1);
    assertThat(record.outcome()).isEqualTo(outcome);
    assertThat(record.cost().isMoreThan(Usd.ZERO)).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("an answer is cut before a blocked text, and ends once")
  void blocksLater(Cell cell) {
    try (var gateway = new DialectGateway(SETTINGS)) {
      String answer = "It is a long story. ".repeat(5) + "But it is " + SSN + ". The end.";
      gateway.upstream.script("large", Script.builder().text(answer).chunks(40).build());

      TestResponse response = gateway.post(cell.client, cell.moderatedRequest("Tell me"));

      assertThat(response.body()).doesNotContain("123-").doesNotContain("6789");
      assertThat(response.body()).doesNotContain("The end");
      if (cell.streaming) {
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).contains("It").contains("Answer blocked by moderation: ssn");
        assertThat(response.body().split("Answer blocked by moderation", -1))
            .hasSizeLessThanOrEqualTo(3);
      } else {
        assertThat(response.status()).isEqualTo(403);
      }
      assertBilled(gateway, CallRecord.Outcome.ERROR);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("a possible match that is longer than 4,096 characters blocks the answer")
  void blocksOpen(Cell cell) {
    try (var gateway = new DialectGateway(SETTINGS)) {
      String answer = "Now: START " + "la ".repeat(2000) + "and on.";
      gateway.upstream.script("large", Script.builder().text(answer).chunks(300).build());

      TestResponse response = gateway.post(cell.client, cell.moderatedRequest("Sing"));

      assertThat(response.body()).doesNotContain("la la").contains("endless");
      assertThat(response.status()).isEqualTo(cell.streaming ? 200 : 403);
    }
  }

  @Proves({"plugins.pipeline.guardrail", "plugins.other.moderation"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "Row 10 block: a request is blocked with 403 before any upstream is called; others are"
          + " redacted")
  void requests(Cell cell) {
    try (var gateway = new DialectGateway(SETTINGS)) {
      gateway.upstream.script("large", Script.builder().text("Fine.").build());

      TestResponse blocked = gateway.post(cell.client, cell.moderatedRequest("Pay with " + CARD));
      assertThat(blocked.status()).isEqualTo(403);
      assertThat(blocked.body()).contains("Request blocked by moderation: credit-card");
      if (cell.client == DialectClient.CHAT) {
        assertThat(blocked.json().at("/error/metadata/flagged_input").asText())
            .isEqualTo("Pay with " + CARD);
      }
      assertThat(gateway.upstream.received()).isEmpty();

      TestResponse passed =
          gateway.post(cell.client, cell.moderatedRequest("I am " + MAIL + " at 10.0.0.1"));
      assertThat(passed.content().text()).isEqualTo("Fine.");
      assertThat(gateway.sent().toString()).contains("I am [EMAIL] at 10.0.0.1");
      assertStage(passed, "moderation", "redact");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "an answer that was cached before moderation was configured is not returned afterwards")
  void cached(Cell cell) {
    Map<String, String> headers =
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-cache", "true");
    try (var gateway = new DialectGateway()) {
      gateway.upstream.script("large", Script.builder().text("Write to " + MAIL).build());
      ObjectNode plain = cell.request("Hello").put("stream", cell.streaming);
      assertThat(gateway.post(cell.client, plain, headers).content().text()).contains(MAIL);
      assertThat(gateway.post(cell.client, plain, headers).content().text()).contains(MAIL);
      assertThat(gateway.upstream.requests()).isEqualTo(1);

      gateway.reload(SETTINGS.replace("'settings'", "'defaults':[{'id':'moderation'}],'settings'"));
      assertThat(gateway.post(cell.client, plain, headers).body()).doesNotContain(MAIL);
      assertThat(gateway.post(cell.client, plain, headers).body()).doesNotContain(MAIL);
      assertThat(gateway.upstream.requests()).isEqualTo(2);

      gateway.reload(
          SETTINGS
              .replace("'settings'", "'defaults':[{'id':'moderation'}],'settings'")
              .replace("'email':'redact','ssn'", "'email':'block','ssn'"));
      assertThat(gateway.post(cell.client, plain, headers).body())
          .contains("blocked by moderation");
    }
  }

  @Test
  @DisplayName("invalid settings are problems, each with its place")
  void badSettings() {
    assertThatThrownBy(
            () ->
                new DialectGateway(
                    ",'plugins':{'settings':{'moderation':{'answers':{'emails':'redact'}}}}"))
        .hasMessageContaining("/plugins/settings/moderation")
        .hasMessageContaining("emails")
        .hasMessageContaining("credit-card");
    assertThatThrownBy(
            () ->
                new DialectGateway(
                    ",'plugins':{'settings':{'moderation':{'answers':{'email':'hide'},"
                        + "'patterns':['(?=a)']}}}"))
        .hasMessageContaining("/plugins/settings/moderation/answers/email")
        .hasMessageContaining("flag, redact, block, off")
        .hasMessageContaining("/plugins/settings/moderation/patterns/0")
        .hasMessageContaining("lookaround");
  }
}
