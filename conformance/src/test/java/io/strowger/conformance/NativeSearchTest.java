package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.conformance.DialectGateway.Heard;
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
 * Plugins fact sheet, sections 5 and 12, engine {@code native}. No search engine is set up here.
 */
@DisplayName("A search that the upstream makes by itself")
class NativeSearchTest {
  private static final String WHERE =
      "'user_location':{'type':'approximate','city':null,'country':'DE'}";
  private static final String PLACE = "{'type':'approximate','country':'DE'}";

  record Cell(DialectFront front, DialectBehind behind) {
    ObjectNode asking(String model) {
      ObjectNode request = front.hello(behind).deepCopy();
      return request.put("model", model);
    }

    ObjectNode asking() {
      return asking("acme/searching-" + behind.slug());
    }
  }

  static List<Cell> cells() {
    var cells = new ArrayList<Cell>();
    for (DialectFront front : DialectFront.values()) {
      for (DialectBehind behind : DialectBehind.values()) {
        cells.add(new Cell(front, behind));
      }
    }
    return cells;
  }

  private static JsonNode sent(ObjectNode asked, Cell cell) {
    try (var gateway = new DialectGateway()) {
      gateway.upstream.script("large", Script.answer("It rains."));
      Heard heard = gateway.post(cell.front, asked);
      assertThat(heard.said().text()).isEqualTo("It rains.");
      assertThat(gateway.sent().toString()).doesNotContain("router:").doesNotContain("upstream:");
      return gateway.sent();
    }
  }

  private static void assertSearches(JsonNode body, DialectBehind behind, String tool) {
    JsonNode declared =
        behind == DialectBehind.CHAT ? body.path("web_search_options") : body.path("tools");
    assertThat(declared).isEqualTo(DialectFront.json(tool));
  }

  private static String form(DialectBehind behind, String uses, boolean placed) {
    return switch (behind) {
      case CHAT ->
          placed ? "{'user_location':{'type':'approximate','approximate':{'country':'DE'}}}" : "{}";
      case RESPONSES ->
          "[{'type':'web_search'" + (placed ? ",'user_location':" + PLACE : "") + "}]";
      case MESSAGES ->
          "[{'type':'web_search_20250305','name':'web_search','max_uses':"
              + uses
              + (placed ? ",'user_location':" + PLACE : "")
              + "}]";
      case GEMINI -> "[{'googleSearch':{}}]";
    };
  }

  @Proves({"routing.variant.online", "plugins.web.engine", "plugins.web.max_uses"})
  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName(
      "Rows 5 engine native, max_uses: is declared in the upstream's own form: by plugin, suffix"
          + " and tool, named or not")
  void declared(Cell cell) {
    ObjectNode plugged = cell.asking();
    plugged.set(
        "plugins",
        DialectFront.json("[{'id':'web','engine':'native','max_uses':3," + WHERE + "}]"));
    assertSearches(sent(plugged, cell), cell.behind, form(cell.behind, "3", true));

    ObjectNode online = cell.asking("acme/searching-" + cell.behind.slug() + ":online");
    assertSearches(sent(online, cell), cell.behind, form(cell.behind, "5", false));

    for (String type : List.of("router:web_search", "web_search")) {
      ObjectNode tool = cell.asking();
      tool.set(
          "tools",
          DialectFront.json("[{'type':'" + type + "','parameters':{'max_uses':2," + WHERE + "}}]"));
      if (cell.front != DialectFront.MESSAGES || type.startsWith("router:")) {
        assertSearches(sent(tool, cell), cell.behind, form(cell.behind, "2", true));
      }
    }
  }

  @Proves({"plugins.web.engine", "open.10"})
  @ParameterizedTest
  @EnumSource(DialectFront.class)
  @DisplayName(
      "Row 5 engine native where it is unsupported: cannot be asked of a model whose endpoints do"
          + " not: 400 at plugin and tool")
  void unable(DialectFront front) {
    try (var gateway = new DialectGateway()) {
      ObjectNode plugged = new Cell(front, DialectBehind.CHAT).asking("acme/chat");
      plugged.set("plugins", DialectFront.json("[{'id':'web','engine':'native'}]"));
      Heard refused = gateway.post(front, plugged);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("/plugins/0").contains("web_search_options");

      ObjectNode tool = new Cell(front, DialectBehind.CHAT).asking("acme/chat");
      tool.set("tools", DialectFront.json("[{'type':'router:web_search'}]"));
      Heard other = gateway.post(front, tool);
      assertThat(other.status()).isEqualTo(400);
      assertThat(other.body()).contains("/tools/0").contains("cannot be run");
      assertThat(gateway.upstream.received()).isEmpty();
    }
  }

  @Test
  @DisplayName("takes rules for domains where the upstream's form has them, and tells where not")
  void domains() {
    try (var gateway = new DialectGateway()) {
      gateway.upstream.script("large", Script.answer("It rains."));
      for (DialectBehind behind : DialectBehind.values()) {
        ObjectNode asked = new Cell(DialectFront.CHAT, behind).asking();
        asked.set(
            "plugins",
            DialectFront.json(
                "[{'id':'web','engine':'native','include_domains':['*.a.example'],'exclude_domains':['b.example']}]"));
        gateway.post(DialectFront.CHAT, asked);
        JsonNode sent = gateway.sent();
        boolean allows = sent.toString().contains("\"allowed_domains\":[\"a.example\"]");
        assertThat(allows)
            .as(sent.toString())
            .isEqualTo(behind == DialectBehind.RESPONSES || behind == DialectBehind.MESSAGES);
        assertThat(sent.toString()).doesNotContain("b.example");
        assertThat(gateway.losses().toString()).contains("domains");
      }
    }
  }

  @Test
  @DisplayName("is told of in the trace, and is only one endpoint's where the others cannot")
  void told() {
    try (var gateway = new DialectGateway()) {
      gateway.upstream.script("large", Script.answer("It rains."));
      ObjectNode asked = new Cell(DialectFront.CHAT, DialectBehind.CHAT).asking();
      asked.set("plugins", DialectFront.json("[{'id':'web'}]"));
      gateway.post(DialectFront.CHAT, asked);
      assertThat(gateway.records.getLast().trace().toString())
          .contains("left the search to the upstream");

      ObjectNode some = new Cell(DialectFront.CHAT, DialectBehind.CHAT).asking("acme/sometimes");
      some.set("plugins", DialectFront.json("[{'id':'web'}]"));
      assertThat(gateway.post(DialectFront.CHAT, some).status()).isEqualTo(400); // no engine
      some.set("plugins", DialectFront.json("[{'id':'web','engine':'native'}]"));
      gateway.post(DialectFront.CHAT, some);
      assertThat(gateway.sent().path("tools").toString()).contains("web_search_20250305");
    }
  }
}
