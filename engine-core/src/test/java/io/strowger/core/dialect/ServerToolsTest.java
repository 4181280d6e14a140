package io.strowger.core.dialect;

import static io.strowger.core.decode.TestRules.problems;
import static io.strowger.core.decode.TestRules.readValid;
import static io.strowger.core.decode.TestRules.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.TestRules;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A tool of the gateway")
class ServerToolsTest {
  private static Rule<List<Tool>> tools(Dialect dialect) {
    return ServerTools.listRule(ServerTools.addTo(Union.on("type"), dialect));
  }

  private static final Rule<List<Tool>> CHAT = tools(Dialect.CHAT);
  private static final Rule<List<Tool>> MESSAGES = tools(Dialect.MESSAGES);
  private static final Rule<List<Tool>> RESPONSES = tools(Dialect.RESPONSES);

  private static String tool(String type, String parameters) {
    return "[{'type':'" + type + "','parameters':" + parameters + "}]";
  }

  private static List<String> problemsOf(String type, String parameters) {
    return problems(RESPONSES, tool(type, parameters));
  }

  @Nested
  @DisplayName("of any kind")
  class AnyTool {
    @Test
    @DisplayName("may have no parameters, which must otherwise be an object")
    void parameters() {
      assertThat(readValid(CHAT, "[{'type':'router:files'}]"))
          .singleElement()
          .isInstanceOfSatisfying(
              Tool.Server.class, tool -> assertThat(tool.parameters()).isEqualTo(Json.Obj.EMPTY));
      assertThat(problems(CHAT, "[{'type':'router:files','parameters':null}]"))
          .containsExactly("/0/parameters: must be an object, was null");
      assertThat(problems(CHAT, "[{'type':'router:datetime','later':[null]}]")).isEmpty();
    }

    @Test
    @DisplayName("must have a known type, or is refused with all the known ones")
    void unknown() {
      assertThat(problems(CHAT, "[{'type':'router:nothing'}]"))
          .containsExactly(
              "/0/type: must be one of router:web_search, web_search, web_search_preview,"
                  + " web_search_preview_2025_03_11, web_search_2025_08_26, router:web_fetch,"
                  + " router:datetime, router:files, router:bash, router:image_generation,"
                  + " router:experimental__search_models, router:fusion, router:advisor,"
                  + " router:subagent, was \"router:nothing\"");
    }

    @Proves("messages.block.tool.router")
    @ParameterizedTest
    @CsvSource({
      "router:shell, false, true, true",
      "router:tool_search, false, true, true",
      "router:apply_patch, false, false, true",
      "router:subagent, true, true, true"
    })
    @DisplayName("is accepted only in the dialects that define it")
    void dialects(String type, boolean chat, boolean messages, boolean responses) {
      String tool = "[{'type':'" + type + "'}]";
      assertThat(problems(CHAT, tool).isEmpty()).isEqualTo(chat);
      assertThat(problems(MESSAGES, tool).isEmpty()).isEqualTo(messages);
      assertThat(problems(RESPONSES, tool).isEmpty()).isEqualTo(responses);
    }

    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    @DisplayName("with the largest allowed number of members is read in linear time")
    void manyMembers() {
      var tool = Json.object().put("type", "web_search");
      for (int i = 0; i < 99_998; i++) {
        tool.put("unknown" + (100_000 + i), 1);
      }
      Json given = Json.array(tool.put("parameters", Json.Obj.EMPTY).build());
      assertThat(problems(CHAT, given)).isEmpty();
    }

    @Test
    @DisplayName("is checked by its prefix router: even where unknown types are passed through")
    void passing() {
      Rule<Tool> other = (given, context) -> new Tool.Unknown("x", given);
      Rule<Tool> rule =
          ServerTools.addTo(Union.<Tool>on("type"), Dialect.MESSAGES)
              .orElse(ServerTools.passThrough(Dialect.MESSAGES, other));
      assertThat(readValid(rule, "{'type':'computer'}")).isInstanceOf(Tool.Unknown.class);
      assertThat(readValid(rule, "{'type':'router:shell'}")).isInstanceOf(Tool.Server.class);
      assertThat(problems(rule, "{'type':'router:apply_patch'}"))
          .singleElement()
          .asString()
          .startsWith("/type: must be one of router:web_search, ")
          .endsWith(", was \"router:apply_patch\"");
    }

    @Proves("plugins.loop.declared")
    @ParameterizedTest
    @CsvSource({
      "router:web_search, true",
      "router:nothing, true",
      "web_search, true",
      "web_search_preview, true",
      "web_search_preview_2025_03_11, true",
      "web_search_2025_08_26, true",
      "web_search_20250305, false",
      "function, false",
      "Router:bash, false"
    })
    @DisplayName("is recognized by its prefix router: or as one of the names of the web search")
    void isServerTool(String type, boolean is) {
      assertThat(ServerTools.isServerTool(type)).isEqualTo(is);
    }
  }

  @Nested
  @DisplayName("that searches, named without the prefix router:,")
  class Shorthand {
    @Proves({"plugins.loop.declared", "chat.tool.shorthand"})
    @ParameterizedTest
    @ValueSource(
        strings = {
          "web_search",
          "web_search_preview",
          "web_search_preview_2025_03_11",
          "web_search_2025_08_26"
        })
    @DisplayName("has its options beside its type or under parameters")
    void flat(String type) {
      Json.Obj options = (Json.Obj) value("{'max_results':3,'mode':'fast'}");
      assertThat(server("{'type':'" + type + "','max_results':3,'x':1,'mode':'fast'}"))
          .isEqualTo(options);
      assertThat(
              server("{'type':'" + type + "','parameters':{'max_results':3,'mode':'fast'},'x':1}"))
          .isEqualTo(options);
      assertThat(server("{'type':'" + type + "'}")).isEqualTo(Json.Obj.EMPTY);
    }

    private Json.Obj server(String tool) {
      List<Tool> read = readValid(CHAT, "[" + tool + "]");
      return ((Tool.Server) read.get(0)).parameters();
    }

    @Test
    @DisplayName("must have an object as its parameters even if it has options beside its type")
    void parametersBesideFlat() {
      assertThat(problems(CHAT, "[{'type':'web_search','max_results':3,'parameters':null}]"))
          .containsExactly("/0/parameters: must be an object, was null");
    }

    @Test
    @DisplayName("has its options checked by the same rules in both places")
    void bounds() {
      assertThat(problems(CHAT, "[{'type':'web_search','max_results':26}]"))
          .containsExactly("/0/max_results: must be a whole number from 1 to 25, was 26");
      assertThat(problems(CHAT, "[{'type':'web_search','parameters':{'max_results':26}}]"))
          .containsExactly(
              "/0/parameters/max_results: must be a whole number from 1 to 25, was 26");
      assertThat(
              problems(CHAT, "[{'type':'web_search','allowed_domains':[],'excluded_domains':[]}]"))
          .containsExactly(
              "/0/excluded_domains: must not be given together with allowed_domains, was an array"
                  + " of 0");
    }
  }

  @Nested
  @DisplayName("has its options")
  class OptionPlaces {
    private void assertOptions(Rule<List<Tool>> tools, String tool, String options) {
      assertThat(readValid(tools, "[" + tool + "]"))
          .singleElement()
          .isInstanceOfSatisfying(
              Tool.Server.class,
              server -> assertThat(server.parameters()).isEqualTo(value(options)));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
            """
            router:web_search       | {'max_results':3,'user_location':{'city':'Paris'}}
            web_search              | {'max_results':3,'user_location':{'city':'Paris'}}
            router:web_fetch        | {'max_uses':2}
            router:datetime         | {'timezone':'Europe/Paris'}
            router:bash             | {'engine':'auto'}
            router:image_generation | {'model':'a/b','size':'1x1'}
            router:experimental__search_models | {'max_results':2}
            router:fusion           | {'max_tool_calls':2,'temperature':1}
            router:advisor          | {'name':'a','model':'m'}
            router:subagent         | {'name':'a','tools':[{'type':'router:datetime'}]}
            """)
    @DisplayName("beside its type, under parameters, or divided between the two, in every dialect")
    void anywhere(String type, String options) {
      Json.Obj all = (Json.Obj) value(options);
      String flat = "{'type':'" + type + "'," + options.substring(1);
      String inside = "{'type':'" + type + "','parameters':" + options + "}";
      String last = all.name(all.size() - 1);
      String apart =
          Json.object()
              .put("type", type)
              .put("parameters", all.without(last))
              .put(last, all.value(all.size() - 1))
              .build()
              .toString();
      String twice = "{'type':'" + type + "','parameters':" + options + "," + options.substring(1);
      for (Rule<List<Tool>> tools : List.of(CHAT, MESSAGES, RESPONSES)) {
        assertOptions(tools, flat, options);
        assertOptions(tools, inside, options);
        assertOptions(tools, apart, options);
        assertOptions(tools, twice, options);
      }
    }

    @Test
    @DisplayName(
        "in both places also if a plugin provides the tool, without members that are no options")
    void pluginTool() {
      Rule<Tool> rule = ToolOptions.PLUGIN_TOOL;
      Tool.Server tool =
          (Tool.Server)
              readValid(
                  rule,
                  "{'type':'acme:lookup','parameters':{'a':1},'b':[2],"
                      + "'cache_control':{'type':'ephemeral'}}");
      assertThat(tool.type()).isEqualTo("acme:lookup");
      assertThat(tool.parameters()).isEqualTo(value("{'a':1,'b':[2]}"));
      assertThat(((Tool.Server) readValid(rule, "{'type':'acme:lookup'}")).parameters())
          .isEqualTo(Json.Obj.EMPTY);
    }

    @Test
    @DisplayName("with the same value where one is given in both places")
    void contradiction() {
      assertThat(
              problems(
                  CHAT,
                  "[{'type':'router:web_search','max_results':3,'parameters':{'max_results':4}}]"))
          .containsExactly("/0/max_results: must not differ from the one under parameters, was 3");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
            """
            'max_results':26 | /0/max_results: must be a whole number from 1 to 25, was 26
            'allowed_domains':[],'excluded_domains':[] | /0/excluded_domains: must not be given \
            together with allowed_domains, was an array of 0
            'allowed_domains':[],'parameters':{'excluded_domains':[]} | /0/allowed_domains: must \
            not be given together with excluded_domains, was an array of 0
            'excluded_domains':[],'parameters':{'allowed_domains':[]} | /0/excluded_domains: must \
            not be given together with allowed_domains, was an array of 0
            """)
    @DisplayName("under the same rules in both places")
    void rules(String members, String problem) {
      for (String type : List.of("router:web_search", "web_search_preview")) {
        assertThat(problems(CHAT, "[{'type':'" + type + "'," + members + "}]"))
            .containsExactly(problem);
      }
    }

    @Test
    @DisplayName("including the name of an advisor, which must be unique wherever it is given")
    void names() {
      assertThat(
              problems(
                  CHAT,
                  "[{'type':'router:advisor','name':'a'},"
                      + "{'type':'router:advisor','parameters':{'name':'a'}},"
                      + "{'type':'router:advisor','name':'b'},{'type':'router:advisor'}]"))
          .containsExactly(
              "/1/parameters/name: must not be that of another router:advisor, was \"a\"");
    }
  }

  @Nested
  @DisplayName("that asks other models")
  class ModelTools {
    private String namedTools(String type, String... names) {
      var tools = new StringBuilder();
      for (String name : names) {
        tools.append(tools.isEmpty() ? "" : ",").append("{'type':'").append(type).append("'");
        tools.append(name.isEmpty() ? "}" : ",'parameters':{'name':'" + name + "'}}");
      }
      return "[" + tools + "]";
    }

    @Proves({"plugins.loop.advisor", "chat.tool.advisor"})
    @ParameterizedTest
    @ValueSource(strings = {"router:advisor", "router:subagent"})
    @DisplayName(
        "has a name that no other tool of its type has, and only one of them may have none")
    void names(String type) {
      assertThat(problems(CHAT, namedTools(type, "a", "", "A"))).isEmpty();
      assertThat(problems(CHAT, namedTools(type, "a", "b", "a")))
          .containsExactly(
              "/2/parameters/name: must not be that of another " + type + ", was \"a\"");
      assertThat(problems(CHAT, namedTools(type, "", "", "")))
          .containsExactly(
              "/1/parameters/name: is required: only one " + type + " may have no name",
              "/2/parameters/name: is required: only one " + type + " may have no name");
    }

    @Test
    @DisplayName("is not refused for a missing name when its parameters are no object")
    void unreadable() {
      assertThat(
              problems(
                  CHAT, "[{'type':'router:advisor'},{'type':'router:advisor','parameters':[]}]"))
          .containsExactly("/1/parameters: must be an object, was an array of 0");
    }

    @Test
    @DisplayName("may lack a name beside tools of other types that lack one")
    void kinds() {
      assertThat(
              problems(
                  CHAT,
                  "[{'type':'router:advisor'},{'type':'router:subagent'},{'type':'router:files'},"
                      + "{'type':'router:files'}]"))
          .isEmpty();
    }

    @Test
    @DisplayName("is reported once, not twice, when its name is wrong")
    void wrongTwice() {
      assertThat(problems(CHAT, namedTools("router:advisor", "!", "!"))).hasSize(2);
      assertThat(problems(CHAT, "[{'type':'router:advisor','parameters':1},1]")).hasSize(2);
    }

    @Test
    @DisplayName("has a name of at most 64 characters")
    void nameLength() {
      assertThat(problems(CHAT, namedTools("router:advisor", "n".repeat(64)))).isEmpty();
      assertThat(problems(CHAT, namedTools("router:advisor", "n".repeat(65)))).hasSize(1);
    }

    @Proves({"plugins.loop.subagent", "chat.tool.subagent"})
    @Test
    @DisplayName("may give a subagent other tools of the gateway, but no subagent")
    void subagentTools() {
      assertThat(problemsOf("router:subagent", "{'tools':[{'type':'router:subagent'}]}"))
          .singleElement()
          .asString()
          .startsWith("/0/parameters/tools/0/type: must be one of router:web_search, ")
          .endsWith(", was \"router:subagent\"");
      assertThat(problemsOf("router:subagent", "{'tools':[{'type':'function'}]}")).hasSize(1);
      assertThat(
              problemsOf(
                  "router:subagent",
                  "{'tools':[{'type':'router:advisor'},{'type':'router:advisor'}]}"))
          .containsExactly(
              "/0/parameters/tools/1/parameters/name: is required: only one router:advisor may have"
                  + " no name");
    }

    @Proves({"plugins.loop.subagent", "chat.tool.subagent"})
    @ParameterizedTest
    @CsvSource({"inherit_functions, true", "inherited_function_names, []"})
    @DisplayName("passes functions on to a subagent only in the responses dialect")
    void inherited(String member, String value) {
      String tool = tool("router:subagent", "{'" + member + "':" + value + "}");
      assertThat(problems(RESPONSES, tool)).isEmpty();
      for (Rule<List<Tool>> rule : List.of(CHAT, MESSAGES)) {
        assertThat(problems(rule, tool))
            .singleElement()
            .asString()
            .startsWith("/0/parameters/" + member + ": is only for /responses, was ");
      }
    }
  }

  @Nested
  @DisplayName("that searches for tools")
  class ToolSearch {
    private List<String> problemsWithChoice(String choice) {
      var problems = new Problems();
      var body = (Json.Obj) value("{'tools':[1,{'type':'router:tool_search'}]" + choice + "}");
      ServerTools.rejectForcedToolChoice(body, new DecodingContext(problems));
      return TestRules.problemTexts(problems);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          ",'tool_choice':'auto'",
          ",'tool_choice':{'type':'auto'}",
          ",'tool_choice':{'type':'allowed_tools','tools':[]}"
        })
    @DisplayName("may be combined with a tool choice that leaves the choice to the model")
    void free(String choice) {
      assertThat(problemsWithChoice(choice)).isEmpty();
    }

    @Proves("plugins.loop.tool_search")
    @ParameterizedTest
    @ValueSource(
        strings = {"'required'", "'none'", "'allowed_tools'", "{'type':'any'}", "{'x':1}", "null"})
    @DisplayName("may not be combined with any other tool choice")
    void forced(String choice) {
      assertThat(problemsWithChoice(",'tool_choice':" + choice))
          .singleElement()
          .asString()
          .startsWith(
              "/tool_choice: must be auto or allowed_tools with the tool router:tool_search, was");
    }

    @Test
    @DisplayName("is the only tool with this rule, and a wrong tool choice is not reported twice")
    void others() {
      var problems = new Problems();
      var body = (Json.Obj) value("{'tools':[{'type':'router:bash'}],'tool_choice':'required'}");
      ServerTools.rejectForcedToolChoice(body, new DecodingContext(problems));
      assertThat(problems.isEmpty()).isTrue();
      var wrong =
          (Json.Obj) value("{'tools':[{'type':'router:tool_search'}],'tool_choice':{'type':1}}");
      var context = new DecodingContext(problems);
      context.enter("tool_choice");
      context.reject("type", "must be a string", Json.of(1));
      context.leave();
      ServerTools.rejectForcedToolChoice(wrong, context);
      assertThat(TestRules.problemTexts(problems)).hasSize(1);
    }
  }
}
