package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.DialectGateway.TestResponse;
import io.strowger.simulated.Script;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the engine {@code native}, with no search engine configured. Plugins fact sheet, sections 5
 * and 12.
 */
@DisplayName("A search that the upstream runs itself")
class NativeSearchTest {
  private static final String USER_LOCATION =
      "'user_location':{'type':'approximate','city':null,'country':'DE'}";
  private static final String SENT_LOCATION = "{'type':'approximate','country':'DE'}";

  record Cell(DialectClient client, DialectUpstream upstream) {
    ObjectNode request(String model) {
      ObjectNode request = client.hello(upstream).deepCopy();
      return request.put("model", model);
    }

    ObjectNode request() {
      return request("acme/searching-" + upstream.slug());
    }
  }

  static List<Cell> cells() {
    var cells = new ArrayList<Cell>();
    for (DialectClient client : DialectClient.values()) {
      for (DialectUpstream upstream : DialectUpstream.values()) {
        cells.add(new Cell(client, upstream));
      }
    }
    return cells;
  }

  private static JsonNode sent(ObjectNode request, Cell cell) {
    try (var gateway = new DialectGateway()) {
      gateway.upstream.script("large", Script.answer("It rains."));
      TestResponse response = gateway.post(cell.client, request);
      assertThat(response.content().text()).isEqualTo("It rains.");
      assertThat(gateway.sent().toString()).doesNotContain("router:").doesNotContain("upstream:");
      return gateway.sent();
    }
  }

  private static void assertSearches(JsonNode body, DialectUpstream upstream, String tool) {
    JsonNode declared =
        upstream == DialectUpstream.CHAT ? body.path("web_search_options") : body.path("tools");
    assertThat(declared).isEqualTo(DialectClient.json(tool));
  }

  private static String form(DialectUpstream upstream, String maxUses, boolean hasLocation) {
    return switch (upstream) {
      case CHAT ->
          hasLocation
              ? "{'user_location':{'type':'approximate','approximate':{'country':'DE'}}}"
              : "{}";
      case RESPONSES ->
          "[{'type':'web_search'" + (hasLocation ? ",'user_location':" + SENT_LOCATION : "") + "}]";
      case MESSAGES ->
          "[{'type':'web_search_20250305','name':'web_search','max_uses':"
              + maxUses
              + (hasLocation ? ",'user_location':" + SENT_LOCATION : "")
              + "}]";
      case GEMINI -> "[{'googleSearch':{}}]";
    };
  }

  @Proves({"routing.variant.online", "plugins.web.engine", "plugins.web.max_uses"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "Rows 5 engine native, max_uses: is declared in the upstream's own form for a plugin, a"
          + " suffix or a tool, whether or not these name the engine")
  void declared(Cell cell) {
    ObjectNode withPlugin = cell.request();
    withPlugin.set(
        "plugins",
        DialectClient.json("[{'id':'web','engine':'native','max_uses':3," + USER_LOCATION + "}]"));
    assertSearches(sent(withPlugin, cell), cell.upstream, form(cell.upstream, "3", true));

    ObjectNode online = cell.request("acme/searching-" + cell.upstream.slug() + ":online");
    assertSearches(sent(online, cell), cell.upstream, form(cell.upstream, "5", false));

    for (String type : List.of("router:web_search", "web_search")) {
      ObjectNode tool = cell.request();
      tool.set(
          "tools",
          DialectClient.json(
              "[{'type':'" + type + "','parameters':{'max_uses':2," + USER_LOCATION + "}}]"));
      if (cell.client != DialectClient.MESSAGES || type.startsWith("router:")) {
        assertSearches(sent(tool, cell), cell.upstream, form(cell.upstream, "2", true));
      }
    }
  }

  @Proves({"plugins.web.engine", "open.10"})
  @ParameterizedTest
  @EnumSource(DialectClient.class)
  @DisplayName(
      "Row 5 engine native where it is unsupported: is refused with 400 at the plugin or tool if no"
          + " endpoint of the model supports it")
  void unable(DialectClient client) {
    try (var gateway = new DialectGateway()) {
      ObjectNode withPlugin = new Cell(client, DialectUpstream.CHAT).request("acme/chat");
      withPlugin.set("plugins", DialectClient.json("[{'id':'web','engine':'native'}]"));
      TestResponse refused = gateway.post(client, withPlugin);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("/plugins/0").contains("web_search_options");

      ObjectNode tool = new Cell(client, DialectUpstream.CHAT).request("acme/chat");
      tool.set("tools", DialectClient.json("[{'type':'router:web_search'}]"));
      TestResponse other = gateway.post(client, tool);
      assertThat(other.status()).isEqualTo(400);
      assertThat(other.body()).contains("/tools/0").contains("cannot be run");
      assertThat(gateway.upstream.received()).isEmpty();
    }
  }

  @Test
  @DisplayName(
      "keeps rules for domains if the upstream's form has them, and otherwise reports their loss")
  void domains() {
    try (var gateway = new DialectGateway()) {
      gateway.upstream.script("large", Script.answer("It rains."));
      for (DialectUpstream upstream : DialectUpstream.values()) {
        ObjectNode request = new Cell(DialectClient.CHAT, upstream).request();
        request.set(
            "plugins",
            DialectClient.json(
                "[{'id':'web','engine':'native','include_domains':['*.a.example'],'exclude_domains':['b.example']}]"));
        gateway.post(DialectClient.CHAT, request);
        JsonNode sent = gateway.sent();
        boolean allows = sent.toString().contains("\"allowed_domains\":[\"a.example\"]");
        assertThat(allows)
            .as(sent.toString())
            .isEqualTo(
                upstream == DialectUpstream.RESPONSES || upstream == DialectUpstream.MESSAGES);
        assertThat(sent.toString()).doesNotContain("b.example");
        assertThat(gateway.losses().toString()).contains("domains");
      }
    }
  }

  @Test
  @DisplayName("is noted in the trace, and goes only to endpoints that support it")
  void traced() {
    try (var gateway = new DialectGateway()) {
      gateway.upstream.script("large", Script.answer("It rains."));
      ObjectNode request = new Cell(DialectClient.CHAT, DialectUpstream.CHAT).request();
      request.set("plugins", DialectClient.json("[{'id':'web'}]"));
      gateway.post(DialectClient.CHAT, request);
      assertThat(gateway.records.getLast().trace().toString())
          .contains("left the search to the upstream");

      ObjectNode some =
          new Cell(DialectClient.CHAT, DialectUpstream.CHAT).request("acme/sometimes");
      some.set("plugins", DialectClient.json("[{'id':'web'}]"));
      assertThat(gateway.post(DialectClient.CHAT, some).status()).isEqualTo(400); // no engine
      some.set("plugins", DialectClient.json("[{'id':'web','engine':'native'}]"));
      gateway.post(DialectClient.CHAT, some);
      assertThat(gateway.sent().path("tools").toString()).contains("web_search_20250305");
    }
  }
}
