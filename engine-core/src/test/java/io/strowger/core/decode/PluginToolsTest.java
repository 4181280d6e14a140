package io.strowger.core.decode;

import static io.strowger.core.decode.TestRules.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.ServerTools;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.Tool;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A tool of a plugin")
class PluginToolsTest {
  private static Rule<List<Tool>> tools(Dialect dialect) {
    return ServerTools.listRule(ServerTools.addTo(Union.on("type"), dialect));
  }

  private static final Rule<List<Tool>> CHAT = tools(Dialect.CHAT);
  private static final Rule<List<Tool>> MESSAGES = tools(Dialect.MESSAGES);
  private static final Rule<List<Tool>> RESPONSES = tools(Dialect.RESPONSES);

  private final PluginChecks plugins =
      new PluginChecks() {
        @Override
        public void check(PluginEntry entry, JsonPointer at, Problems problems) {}

        @Override
        public Set<String> toolTypes() {
          return new LinkedHashSet<>(List.of("acme:lookup", "router:x", "router:files"));
        }
      };

  private List<String> problems(Rule<?> rule, String given) {
    var problems = new Problems();
    rule.read(value(given), new DecodingContext(problems, plugins));
    return TestRules.problemTexts(problems);
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme:lookup", "router:x"})
  @DisplayName("is declared by its type, with any parameters, nested or as members of the tool")
  void declared(String type) {
    String tools = "[{'type':'" + type + "','parameters':{'deep':[null]},'later':1}]";
    for (Rule<List<Tool>> rule : List.of(CHAT, MESSAGES, RESPONSES)) {
      var context = new DecodingContext(new Problems(), plugins);
      assertThat(rule.read(value(tools), context))
          .singleElement()
          .isInstanceOfSatisfying(
              Tool.Server.class,
              tool -> {
                assertThat(tool.type()).isEqualTo(type);
                assertThat(tool.parameters()).isEqualTo(value("{'deep':[null],'later':1}"));
              });
      assertThat(context.problemCount()).isZero();
      assertThat(problems(rule, "[{'type':'" + type + "'}]")).isEmpty();
      assertThat(problems(rule, "[{'type':'" + type + "','parameters':null}]"))
          .containsExactly("/0/parameters: must be an object, was null");
    }
  }

  @Test
  @DisplayName("may be used by a subagent")
  void nested() {
    assertThat(
            problems(
                CHAT,
                "[{'type':'router:subagent','parameters':{'tools':[{'type':'acme:lookup'}]}}]"))
        .isEmpty();
  }

  @Test
  @DisplayName("takes precedence over types that are passed to the upstream")
  void passThrough() {
    Rule<Tool> unknown = (given, context) -> new Tool.Unknown("x", given);
    Rule<Tool> rule =
        ServerTools.addTo(Union.<Tool>on("type"), Dialect.RESPONSES)
            .orElse(ServerTools.passThrough(Dialect.RESPONSES, unknown));
    var context = new DecodingContext(new Problems(), plugins);
    assertThat(rule.read(value("{'type':'acme:lookup'}"), context)).isInstanceOf(Tool.Server.class);
    assertThat(rule.read(value("{'type':'acme:find'}"), context)).isInstanceOf(Tool.Unknown.class);
    assertThat(problems(rule, "{'type':'router:y'}"))
        .singleElement()
        .asString()
        .contains("router:subagent, acme:lookup, router:x, was \"router:y\"");
  }

  @Test
  @DisplayName("is named in the problem of an unknown type, and cannot replace a contract's tool")
  void named() {
    assertThat(problems(CHAT, "[{'type':'acme:find'}]"))
        .singleElement()
        .asString()
        .startsWith("/0/type: must be one of router:web_search, ")
        .endsWith("router:subagent, acme:lookup, router:x, was \"acme:find\"");
    assertThat(problems(CHAT, "[{'type':'router:files','parameters':1}]"))
        .containsExactly("/0/parameters: must be an object, was 1");
    assertThat(TestRules.problems(CHAT, "[{'type':'acme:lookup'}]")).hasSize(1);
  }
}
