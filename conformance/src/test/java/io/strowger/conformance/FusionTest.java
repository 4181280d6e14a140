package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.core.config.Plugins;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests fusion. Plugins fact sheet, section 4. */
@DisplayName("Fusion")
class FusionTest {
  private static final String PANEL = "'analysis_models':['acme/a','acme/b','acme/c']";

  private final FusionGateway gateway = new FusionGateway();

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  private static String request(String model, String members) {
    return "{'model':'%s','messages':[{'role':'user','content':'Is it so?'}],%s}"
        .formatted(model, members);
  }

  private static String plugin(String fields) {
    return "'plugins':[{'id':'fusion'" + (fields.isEmpty() ? "" : "," + fields) + "}]";
  }

  private static String tool(String parameters) {
    return "'tools':[{'type':'router:fusion','parameters':{%s}}]".formatted(parameters);
  }

  /** Asks acme/outer with the plugin, and returns the response, which must be the final answer. */
  private FusionGateway.TestResponse ask(String fields) {
    return assertServed(gateway.ask(request("acme/outer", plugin(fields))));
  }

  private static FusionGateway.TestResponse assertServed(FusionGateway.TestResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    assertThat(response.json().at("/choices/0/message/content").asText())
        .isEqualTo(FusionGateway.FINAL_ANSWER);
    return response;
  }

  private static List<String> texts(JsonNode list, String member) {
    var texts = new ArrayList<String>();
    list.forEach(one -> texts.add(one.path(member).asText()));
    return texts;
  }

  private void assertBilled(int calls) {
    Usd sum = new Usd(calls * FusionGateway.CALL_NANOS);
    assertThat(gateway.record().cost()).isEqualTo(sum);
    assertThat(gateway.account().settled().credits()).isEqualTo(sum);
  }

  @Nested
  @DisplayName("asks a panel")
  class Whole {
    @Proves({"plugins.fusion.run", "plugins.fusion.result"})
    @Test
    @DisplayName("and an analyst, and gives the caller's model their answers")
    void everybody() {
      FusionGateway.TestResponse response = ask(PANEL + ",'model':'acme/judge'");
      JsonNode result = gateway.result();
      assertThat(result.path("status").asText()).isEqualTo("ok");
      assertThat(texts(result.path("responses"), "model"))
          .containsExactly("acme/a", "acme/b", "acme/c");
      assertThat(texts(result.path("responses"), "content"))
          .containsExactly("I am a", "I am b", "I am c");
      assertThat(result.path("analysis")).isEqualTo(DialectClient.parse(FusionGateway.ANALYSIS));
      assertThat(result.has("failed_models")).isFalse();
      assertThat(result.has("sources")).isFalse();
      assertBilled(6);
      JsonNode calls = response.stage().at("/data/calls");
      assertThat(texts(calls, "role")).containsExactly("panel", "panel", "panel", "analyst");
      calls.forEach(call -> assertThat(call.path("cost_usd").asDouble()).isEqualTo(0.000026));
      assertThat(gateway.record().billLines()).extracting(CallRecord.BillLine::cost).hasSize(6);
      assertThat(response.json().path("model").asText()).isEqualTo("acme/outer");
      assertThat(response.json().at("/usage/cost").asDouble()).isEqualTo(0.000156);
    }

    @Proves("plugins.fusion.run")
    @Test
    @DisplayName("and lists each call with its cost in the record of the request")
    void generation() {
      gateway.upstream.script("b", Script.status(500));
      FusionGateway.TestResponse response = ask(PANEL + ",'model':'acme/judge'");
      JsonNode record = gateway.generation(response.json().path("id").asText());
      var lines = new ArrayList<String>();
      var sum = BigDecimal.ZERO;
      for (JsonNode line : record.path("provider_responses")) {
        BigDecimal cost = line.path("cost").decimalValue();
        sum = sum.add(cost);
        lines.add(
            line.path("inner_call").asText("-")
                + " "
                + line.path("model_permaslug").asText()
                + " "
                + cost.toPlainString());
      }
      assertThat(lines)
          .containsExactlyInAnyOrder(
              "- acme/outer 0.000026",
              "panel 1 acme/a 0.000026",
              "panel 2 acme/b 0",
              "panel 3 acme/c 0.000026",
              "analyst acme/judge 0.000026",
              "- acme/outer 0.000026");
      assertThat(sum).isEqualByComparingTo(record.path("total_cost").decimalValue());
      assertThat(sum).isEqualByComparingTo("0.00013");
    }

    @Proves({"plugins.fusion.model", "plugins.fusion.reasoning", "open.54"})
    @Test
    @DisplayName("with the caller's prompt, and an analyst at temperature 0 that is given a schema")
    void asked() {
      gateway.ask(
          request(
              "acme/outer",
              tool(
                  PANEL
                      + ",'model':'acme/judge','temperature':0.7,'max_completion_tokens':77,"
                      + "'reasoning':{'effort':'low'},'max_tool_calls':2")));
      JsonNode panelist = gateway.requestsFor("b").getFirst();
      assertThat(panelist.at("/messages/0/content").asText()).isEqualTo("Is it so?");
      assertThat(panelist.path("messages")).hasSize(1);
      assertThat(panelist.path("temperature").asDouble()).isEqualTo(0.7);
      assertThat(panelist.has("max_tool_calls")).isFalse();
      JsonNode analyst = gateway.requestsFor("judge").getFirst();
      assertThat(analyst.path("temperature").asDouble()).isZero();
      assertThat(analyst.at("/response_format/type").asText()).isEqualTo("json_schema");
      assertThat(analyst.at("/messages/1/content").asText()).contains("I am a", "I am b", "I am c");
    }

    @Proves("plugins.fusion.model")
    @ParameterizedTest(name = "{0} with {1}: {2} by {3}, answered by {4}")
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
            """
            router/fusion       | 'top_p':1                                     | a b c | a     | a
            router/fusion-flash | 'top_p':1                                     | a b c | a     | a
            ROUTER/Fusion       | 'plugins':[{'id':'fusion','enabled':false}]   | a b c | a     | a
            router/fusion       | 'plugins':[{'id':'fusion','model':'acme/d'}]  | a b c | d     | d
            router/fusion       | 'plugins':[{'id':'fusion','analysis_models':['acme/c','acme/d']}] | c d | c | c
            """)
    @DisplayName(
        "for the models router/fusion and router/fusion-flash, and replaces them by a real model")
    void model(String model, String members, String panel, String analyst, String answering) {
      for (String name : List.of("a", "b", "c", "d")) {
        gateway.upstream.respond(
            name,
            request -> {
              boolean judge = request.text().contains("json_schema");
              boolean outer = request.text().contains("\"fusion\"");
              boolean done = request.text().contains("call_fusion_1");
              return judge
                  ? Script.answer(FusionGateway.ANALYSIS)
                  : done
                      ? Script.answer(FusionGateway.FINAL_ANSWER)
                      : outer
                          ? Script.builder()
                              .text("")
                              .toolCall("call_fusion_1", "fusion", "{}")
                              .build()
                          : Script.answer("I am " + name);
            });
      }
      FusionGateway.TestResponse response = assertServed(gateway.ask(request(model, members)));
      JsonNode calls = response.stage().at("/data/calls");
      var called = texts(calls, "model").stream().map(id -> id.replace("acme/", "")).toList();
      assertThat(String.join(" ", called)).isEqualTo(panel + " " + analyst);
      assertThat(response.json().path("model").asText()).isEqualTo("acme/" + answering);
      assertThat(response.json().at("/router_metadata/strategy").asText()).isEqualTo("fusion");
      assertThat(response.json().at("/router_metadata/requested").asText()).isEqualTo(model);
    }

    @Proves("plugins.fusion.run")
    @Test
    @DisplayName("in which a model may occur several times, each billed")
    void duplicates() {
      ask("'analysis_models':['acme/a','acme/a'],'model':'acme/judge'");
      assertThat(gateway.result().path("responses")).hasSize(2);
      assertBilled(5);
    }

    @Proves("plugins.fusion.tools")
    @Test
    @DisplayName("with tools of its own, but never with the panel as a tool")
    void toolsOfItsOwn() {
      gateway.ask(
          request(
              "acme/outer",
              plugin(
                  PANEL
                      + ",'model':'acme/judge','max_tool_calls':1,"
                      + "'tools':[{'type':'datetime'},{'type':'router:datetime','parameters':{'timezone':'Europe/Oslo'}}]")));
      assertThat(texts(gateway.requestsFor("a").getFirst().path("tools"), "type"))
          .containsExactly("function", "function");
      assertThat(gateway.requestsFor("a").getFirst().path("tools").toString())
          .doesNotContain("fusion");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("and returns the final answer as a document, in every dialect")
    void whole(DialectClient client) {
      FusionGateway.TestResponse response =
          gateway.ask(
              client,
              Fixtures.APP_KEY,
              body(client) + "," + plugin(PANEL + ",'model':'acme/judge'") + "}",
              new Cancellation());
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      String at =
          switch (client) {
            case CHAT -> "/choices/0/message/content";
            case MESSAGES -> "/content/0/text";
            case RESPONSES -> "/output/0/content/0/text";
          };
      assertThat(response.json().at(at).asText()).isEqualTo(FusionGateway.FINAL_ANSWER);
      assertThat(response.json().at("/usage/cost").asDouble()).isEqualTo(0.000156);
      assertThat(response.stage().at("/data/calls")).hasSize(4);
      assertBilled(6);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("and streams the final answer, in every dialect")
    void streams(DialectClient client) {
      FusionGateway.TestResponse response =
          gateway.ask(
              client,
              Fixtures.APP_KEY,
              body(client) + ",'stream':true," + plugin(PANEL + ",'model':'acme/judge'") + "}",
              new Cancellation());
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      var text = new StringBuilder();
      for (JsonNode frame : DialectFrames.read(client, response.body())) {
        text.append(frame.at("/choices/0/delta/content").asText(""));
        text.append(frame.at("/delta/text").asText(""));
        text.append(
            frame.path("type").asText().equals("response.output_text.delta")
                ? frame.path("delta").asText()
                : "");
      }
      assertThat(text.toString()).isEqualTo(FusionGateway.FINAL_ANSWER);
      if (client != DialectClient.CHAT) {
        assertThat(gateway.requestsFor("a").getFirst().at("/messages/0/role").asText())
            .isEqualTo("system");
      }
      assertBilled(6);
    }
  }

  @Nested
  @DisplayName("in the worked cases")
  class Cases {
    @Proves({"plugins.fusion.result", "plugins.fusion.degradation", "plugins.fusion.FU-1"})
    @Test
    @DisplayName("FU-1: one of three fails with 500, the others answer")
    void fu1() {
      gateway.upstream.script("b", Script.status(500));
      ask(PANEL + ",'model':'acme/judge'");
      JsonNode result = gateway.result();
      assertThat(result.path("status").asText()).isEqualTo("ok");
      assertThat(result.path("responses")).hasSize(2);
      assertThat(result.path("failed_models")).hasSize(1);
      assertThat(result.at("/failed_models/0/model").asText()).isEqualTo("acme/b");
      assertThat(result.at("/failed_models/0/status_code").asInt()).isEqualTo(500);
      assertThat(result.at("/failed_models/0/error").asText()).isNotBlank();
      assertBilled(5);
    }

    @Proves({"plugins.fusion.degradation", "plugins.fusion.FU-2"})
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
            """
            I think they all agree.                     | judge_not_valid_json
            ~   ~                                       | judge_empty_completion
            {"consensus":[]}                            | judge_schema_mismatch
            {"consensus":"x","contradictions":[],"partial_coverage":[],"unique_insights":[],"blind_spots":[]} | judge_schema_mismatch
            """)
    @DisplayName("FU-2: if the analyst writes no valid analysis, the result has the answers only")
    void fu2(String text, String reason) {
      gateway.upstream.script("judge", Script.answer(text));
      FusionGateway.TestResponse response = ask(PANEL + ",'model':'acme/judge'");
      JsonNode result = gateway.result();
      assertThat(result.path("status").asText()).isEqualTo("ok");
      assertThat(result.path("responses")).hasSize(3);
      assertThat(result.has("analysis")).isFalse();
      assertThat(response.stage().at("/data/calls/3/status").asText()).isEqualTo(reason);
    }

    @Proves("open.54")
    @Test
    @DisplayName(
        "FU-2: nearly valid JSON is repaired, and members that are not in the schema are dropped")
    void repaired() {
      String nearly =
          FusionGateway.ANALYSIS
              .replaceFirst("\\{", "{\"more\":1,")
              .replace("{\"topic\"", "{\"more\":[1],\"topic\"")
              .replace("{\"stance\"", "{\"more\":{},\"stance\"")
              .replace("\"insight\":\"i\"", "\"insight\":\"i\",\"more\":null");
      gateway.upstream.script("judge", Script.answer("```json\n" + nearly + "\n```"));
      ask(PANEL + ",'model':'acme/judge'");
      assertThat(gateway.result().path("analysis"))
          .isEqualTo(DialectClient.parse(FusionGateway.ANALYSIS));
    }

    @ParameterizedTest(name = "with {0}")
    @EnumSource
    @DisplayName("FU-2: whatever an analyst writes, the answers that were paid for reach the model")
    void hostile(HostileAnalysis analyst) {
      for (String name : List.of("a", "b", "c")) {
        gateway.upstream.script(name, Script.answer("\u0001\"\n".repeat(20_000)));
      }
      gateway.upstream.script("judge", Script.answer(analyst.text));
      ask(
          "'analysis_models':['acme/a','acme/b','acme/c','acme/a','acme/b','acme/c','acme/a','acme/b'],'model':'acme/judge'");
      JsonNode result = gateway.result();
      assertThat(result.path("status").asText()).isEqualTo("ok");
      assertThat(result.path("responses")).hasSize(8);
      assertThat(result.has("analysis")).isFalse();
      assertThat(result.toString().length()).isLessThan(8 * 33_000);
    }

    @Proves({"plugins.fusion.degradation", "plugins.fusion.FU-3", "plugins.fusion.FU-4", "open.55"})
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
      "429 500 500, rate_limited",
      "402 429 500, insufficient_credits",
      "500 503 502, all_panels_failed",
      "400 401 500, all_panels_failed"
    })
    @DisplayName(
        "FU-3, FU-4: if all members fail, the model is sent the reason and answers without them")
    void fu3(String statuses, String reason) {
      String[] each = statuses.split(" ");
      for (int i = 0; i < each.length; i++) {
        gateway.upstream.script(
            "abc".substring(i, i + 1), Script.status(Integer.parseInt(each[i])));
      }
      FusionGateway.TestResponse response = ask(PANEL + ",'model':'acme/judge'");
      JsonNode result = gateway.result();
      assertThat(result.path("status").asText()).isEqualTo("error");
      assertThat(result.path("failure_reason").asText()).isEqualTo(reason);
      assertThat(result.path("error").asText()).contains("acme/a", "acme/b", "acme/c");
      assertThat(response.stage().at("/data/failure_reason").asText()).isEqualTo(reason);
      assertThat(gateway.requestsFor("judge")).isEmpty();
      assertBilled(2);
    }

    @Proves("plugins.fusion.FU-5")
    @Test
    @DisplayName("FU-5: a second call in the same answer is capped")
    void fu5() {
      gateway.upstream.respond(
          "outer",
          request ->
              request.text().contains("call_second")
                  ? Script.answer(FusionGateway.FINAL_ANSWER)
                  : Script.builder()
                      .text("")
                      .toolCall("call_first", "fusion", "{}")
                      .toolCall("call_second", "fusion", "{}")
                      .build());
      ask(PANEL + ",'model':'acme/judge'");
      JsonNode second = gateway.result();
      assertThat(second.path("status").asText()).isEqualTo("error");
      assertThat(second.path("failure_reason").asText()).isEqualTo("fusion_invocation_capped");
      assertThat(gateway.requestsFor("a")).hasSize(1);
      assertBilled(6);
    }

    @Proves({"plugin.fusion", "plugins.fusion.preset", "plugins.fusion.FU-6"})
    @Test
    @DisplayName("FU-6: the analyst is the preset's even if the panel is not")
    void fu6() {
      FusionGateway.TestResponse response =
          assertServed(
              gateway.ask(
                  request(
                      "acme/outer",
                      plugin("'preset':'general-budget','analysis_models':['acme/d']"))));
      JsonNode calls = response.stage().at("/data/calls");
      assertThat(texts(calls, "model")).containsExactly("acme/d", "acme/a");
    }

    @Proves({"plugin.fusion", "limit.fusion.tools", "plugins.fusion.FU-7"})
    @ParameterizedTest(name = "{0} at {1}")
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
            """
            'plugins':[{'id':'fusion','analysis_models':['1','2','3','4','5','6','7','8','9']}] | /plugins/0/analysis_models
            'plugins':[{'id':'fusion','max_tool_calls':17}]                        | /plugins/0/max_tool_calls
            'tools':[{'type':'router:fusion','parameters':{'max_tool_calls':17}}]  | /tools/0/parameters/max_tool_calls
            'tools':[{'type':'router:fusion','parameters':{'analysis_models':['1','2','3','4','5','6','7','8','9']}}] | /tools/0/parameters/analysis_models
            'tools':[{'type':'router:datetime'},{'type':'router:fusion','parameters':{'analysis_models':['acme/a','acme/nobody']}}] | /tools/1/parameters/analysis_models/1
            'tools':[{'type':'router:fusion','parameters':{'model':'acme/nobody'}}] | /tools/0/parameters/model
            'tools':[{'type':'router:fusion','parameters':{'analysis_models':['router/fusion']}}] | /tools/0/parameters/analysis_models/0
            'tools':[{'type':'router:fusion','parameters':{'tools':[{'type':'router:fusion'}]}}] | /tools/0/parameters/tools/0/type
            'plugins':[{'id':'response-healing'},{'id':'fusion','analysis_models':['acme/a','acme/nobody']}] | /plugins/1/analysis_models/1
            'plugins':[{'id':'fusion','model':'acme/nobody'}]                      | /plugins/0/model
            'plugins':[{'id':'fusion','analysis_models':['router/fusion']}]        | /plugins/0/analysis_models/0
            'plugins':[{'id':'fusion','tools':[{'type':'router:nobody'}]}]         | /plugins/0/tools/0/type
            'plugins':[{'id':'fusion','tools':[{'type':'router:fusion'}]}]         | /plugins/0/tools/0/type
            'tools':[{'type':'router:fusion'},{'type':'router:datetime'},{'type':'router:fusion'}] | /tools/2/type
            'plugins':[{'id':'fusion','analysis_models':['acme/a','acme/b:online']}] | /plugins/0/analysis_models/1
            'tools':[{'type':'router:fusion','parameters':{'model':'acme/a:online'}}] | /tools/0/parameters/model
            'plugins':[{'id':'fusion','tools':[{'type':'datetime','parameters':{'timezone':7}}]}] | /plugins/0/tools/0/parameters/timezone
            'plugins':[{'id':'fusion','tools':[{'type':'router:web_fetch','parameters':{'allowed_domains':'a.example'}}]}] | /plugins/0/tools/0/parameters/allowed_domains
            'tools':[{'type':'router:fusion','parameters':{'tools':[{'type':'router:datetime','parameters':{'timezone':7}}]}}] | /tools/0/parameters/tools/0/parameters/timezone
            """)
    @DisplayName("FU-7: an invalid setting is refused with its place, before anything is sent")
    void fu7(String members, String at) {
      FusionGateway.TestResponse response = gateway.ask(request("acme/outer", members));
      assertThat(response.status()).as(response.body()).isEqualTo(400);
      assertThat(response.body()).contains(at);
      assertThat(gateway.upstream.requests()).isZero();
    }

    @Test
    @DisplayName("FU-7: all problems with the settings of a tool are reported at once")
    void fu7AllAtOnce() {
      FusionGateway.TestResponse response =
          gateway.ask(
              request(
                  "acme/outer",
                  tool("'analysis_models':['acme/x','acme/a','acme/y'],'model':'acme/z'")));
      assertThat(response.status()).as(response.body()).isEqualTo(400);
      assertThat(response.body())
          .contains(
              "/tools/0/parameters/analysis_models/0",
              "/tools/0/parameters/analysis_models/2",
              "/tools/0/parameters/model",
              "must be a model of this gateway");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
            """
            acme/outer    | 'analysis_models':['acme/a'] | 'model':'acme/judge'         | a   | judge
            acme/outer    | 'model':'acme/judge'         | 'analysis_models':['acme/b'] | b   | judge
            acme/outer    | 'analysis_models':['acme/a'] | 'analysis_models':['acme/b','acme/c'],'model':'acme/judge' | a | judge
            acme/outer    | 'analysis_models':['acme/a'],'model':'acme/judge' | 'model':'acme/d' | a | judge
            """)
    @DisplayName("a plugin entry supplies the settings that a declared tool leaves out")
    void merged(String model, String tool, String entry, String panel, String analyst) {
      assertServed(gateway.ask(request(model, tool(tool) + "," + plugin(entry))));
      assertThat(gateway.requestsFor(panel)).as("requests for " + panel).isNotEmpty();
      assertThat(gateway.requestsFor(analyst)).as("requests for the analyst " + analyst).hasSize(1);
      assertThat(gateway.requestsFor("outer").getFirst().path("tools")).hasSize(1);
    }

    @Test
    @DisplayName("a tool that names no panel asks the panel of fusion.presets")
    void settings() {
      try (var set =
          new FusionGateway(
              ",'fusion':{'presets':{'general-high':{'analysis_models':['acme/c','acme/d']}}}",
              Plugins.none())) {
        assertServed(set.ask(request("acme/outer", tool("'model':'acme/judge'"))));
        assertThat(set.requestsFor("c")).hasSize(1);
        assertThat(set.requestsFor("d")).hasSize(1);
        assertThat(set.requestsFor("a")).isEmpty();
        assertThat(set.requestsFor("b")).isEmpty();
      }
    }

    @Proves({"plugin.fusion", "plugins.fusion.tools", "plugins.fusion.FU-8"})
    @Test
    @DisplayName("FU-8: if the list of tools is empty, the panel has none")
    void fu8() {
      ask(PANEL + ",'model':'acme/judge','tools':[]");
      assertThat(gateway.requestsFor("a").getFirst().has("tools")).isFalse();
    }
  }

  @Proves("plugins.fusion.depth")
  @Test
  @DisplayName("is never called by its own members, even if it runs by default and beside advisors")
  void depth() {
    String defaults =
        ",'plugins':{'defaults':[{'id':'fusion','analysis_models':['acme/a','router/auto'],'model':'acme/judge'}]}";
    try (var always = new FusionGateway(defaults, Plugins.none())) {
      assertServed(
          always.ask(
              request(
                  "acme/outer",
                  "'tools':[{'type':'router:advisor'},{'type':'router:subagent'},{'type':'router:datetime'}]")));
      assertThat(always.requestsFor("outer").getFirst().path("tools")).hasSize(4);
      assertThat(always.requestsFor("a")).hasSize(2).noneMatch(body -> body.has("tools"));
      assertThat(always.requestsFor("judge")).hasSize(1).noneMatch(body -> body.has("tools"));
      assertThat(always.record().cost()).isEqualTo(new Usd(5 * FusionGateway.CALL_NANOS));
    }
  }

  /** Answers of an analyst that are not usable. */
  private enum HostileAnalysis {
    HUGE(FusionGateway.ANALYSIS.replace("yes", "y".repeat(1 << 20))),
    MANY(FusionGateway.ANALYSIS.replace("\"yes\"", "\"y\",".repeat(20_000) + "\"y\"")),
    DEEP(FusionGateway.ANALYSIS.replace("\"yes\"", "[".repeat(100_000))),
    TWICE(FusionGateway.ANALYSIS.replace("{\"consensus\"", "{\"consensus\":[],\"consensus\"")),
    ARRAY("[" + FusionGateway.ANALYSIS + "]"),
    NUMBERS(FusionGateway.ANALYSIS.replace("\"yes\"", "1e999999999"));

    private final String text;

    HostileAnalysis(String text) {
      this.text = text;
    }
  }

  /** A tool that cites a page each time it is called. */
  private static final class Lookup implements ServerTool {
    @Override
    public Spec spec() {
      return new Spec("acme:lookup", "Looks up.", Json.object().put("type", "object").build());
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) {
      Json.Obj page = Json.object().put("url", "https://a.example/x").put("title", "X").build();
      chain.cite(Json.object().put("type", "url_citation").put("url_citation", page).build());
      return Json.object().put("found", true).build();
    }
  }

  @Proves("plugins.fusion.result")
  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName(
      "gives the model the sources that its members' tools found, but does not cite them in the"
          + " answer")
  void sources(DialectClient client) {
    try (var found = new FusionGateway("", Plugins.none().tool(new Lookup()))) {
      found.upstream.respond(
          "b",
          request ->
              request.text().contains("call_look")
                  ? Script.answer("I am b")
                  : Script.builder().text("").toolCall("call_look", "lookup", "{}").build());
      String entry = plugin(PANEL + ",'model':'acme/judge','tools':[{'type':'acme:lookup'}]");
      FusionGateway.TestResponse response =
          found.ask(client, Fixtures.APP_KEY, body(client) + "," + entry + "}", new Cancellation());
      assertThat(response.status()).as(response.body()).isEqualTo(200);
      assertThat(response.body()).contains(FusionGateway.FINAL_ANSWER).doesNotContain("a.example");
      JsonNode sources = found.result().path("sources");
      assertThat(sources).hasSize(1);
      assertThat(sources.get(0).path("url").asText()).isEqualTo("https://a.example/x");
      assertThat(sources.get(0).path("title").asText()).isEqualTo("X");
      assertThat(found.record().cost()).isEqualTo(new Usd(7 * FusionGateway.CALL_NANOS));
    }
  }

  private static String body(DialectClient client) {
    return switch (client) {
      case CHAT -> "{'model':'acme/outer','messages':[{'role':'user','content':'So?'}]";
      case MESSAGES ->
          "{'model':'acme/outer','max_tokens':500,'system':'Be"
              + " brief.','messages':[{'role':'user','content':'So?'}]";
      case RESPONSES -> "{'model':'acme/outer','instructions':'Be brief.','input':'So?'";
    };
  }

  @Test
  @DisplayName("reserves money that a stop condition on the cost does not count as spent")
  void maxCost() {
    gateway.upstream.respond(
        "outer",
        request ->
            !request.text().contains("call_fusion_1")
                ? Script.builder().text("").toolCall("call_fusion_1", "fusion", "{}").build()
                : request.text().contains("call_date")
                    ? Script.answer(FusionGateway.FINAL_ANSWER)
                    : Script.builder().text("").toolCall("call_date", "datetime", "{}").build());
    assertServed(
        gateway.ask(
            request(
                "acme/outer",
                "'stop_server_tools_when':[{'type':'max_cost','max_cost_in_dollars':0.001}],'tools':[{'type':'router:datetime'}],"
                    + plugin(PANEL + ",'model':'acme/judge'"))));
    assertBilled(7); // the panel cost less than the limit, so the model may continue
  }

  @Nested
  @DisplayName("when the caller disconnects")
  class Disconnects {
    @Test
    @DisplayName("during the panel, ends all calls and bills what they cost")
    void callerGone() throws InterruptedException {
      gateway.upstream.script("a", Script.failing(new ScriptedFault.Stall(1)));
      gateway.upstream.script(
          "b", Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
      disconnectAfter(4);
      assertThat(gateway.requestsFor("judge")).isEmpty();
    }

    @Test
    @DisplayName("during the analysis, bills all calls before it")
    void callerGoneLater() throws InterruptedException {
      gateway.upstream.script(
          "judge", Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
      disconnectAfter(5);
      assertThat(gateway.record().cost()).isEqualTo(new Usd(4 * FusionGateway.CALL_NANOS));
    }

    private void disconnectAfter(long requests) throws InterruptedException {
      var gone = new Cancellation();
      Thread leaving =
          gateway.ambient.start(
              "leaving",
              () -> {
                try {
                  gateway.upstream.awaitRequests(requests, Duration.ofSeconds(10));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                gone.cancel(Cancellation.Cause.CALLER_GONE);
              });
      gateway.ask(
          DialectClient.CHAT,
          Fixtures.APP_KEY,
          request("acme/outer", plugin(PANEL + ",'model':'acme/judge'")),
          gone);
      leaving.join();
      assertThat(gateway.record().outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
      assertThat(gateway.account().settled().credits()).isEqualTo(gateway.record().cost());
      assertThat(gateway.requestsFor("outer")).hasSize(1);
    }
  }

  @Proves("open.54")
  @Test
  @Tag("full") // the member has ten seconds: on a busy machine the others need more than one
  @DisplayName(
      "cancels a member that is too slow, bills its partial answer, and lists it as failed")
  void late() {
    try (var hurried = new FusionGateway(",'timeouts':{'total_ms':20000}", Plugins.none())) {
      hurried.upstream.script("c", Script.failing(new ScriptedFault.Stall(2)));
      FusionGateway.TestResponse response =
          assertServed(hurried.ask(request("acme/outer", plugin(PANEL + ",'model':'acme/judge'"))));
      JsonNode result = hurried.result();
      assertThat(result.path("responses")).hasSize(2);
      assertThat(result.at("/failed_models/0/model").asText()).isEqualTo("acme/c");
      assertThat(result.at("/failed_models/0/status_code").asInt()).isEqualTo(524);
      JsonNode calls = response.stage().at("/data/calls");
      assertThat(calls.get(2).path("cost_usd").asDouble()).isPositive();
      // a member that is late leaves time for the analyst and for the answer
      assertThat(result.path("analysis")).isEqualTo(DialectClient.parse(FusionGateway.ANALYSIS));
      assertThat(calls.get(3).path("status").asText()).isEqualTo("ok");
      assertThat(hurried.record().cost().nanos())
          .as("two members, the analyst, two turns, and the partial answer of the late member")
          .isGreaterThan(5 * FusionGateway.CALL_NANOS)
          .isLessThan(6 * FusionGateway.CALL_NANOS);
      assertThat(hurried.account().settled().credits()).isEqualTo(hurried.record().cost());
    }
  }

  /**
   * Keys whose limits rise in steps of 50 microdollars, and requests of so few tokens that a step
   * is less than the hold for a call.
   */
  private static final class LimitedKeys {
    private static final int KEYS = 240;
    private static final BigDecimal LEAST = new BigDecimal("0.0145");
    private static final String TOOL =
        tool(PANEL + ",'model':'acme/judge','max_completion_tokens':100");

    /** A request that offers the model a panel. */
    private static final String PANEL_OFFERED = request("acme/outer", "'max_tokens':100," + TOOL);

    /** A request that demands a panel. */
    private static final String PANEL_DEMANDED =
        request("acme/outer", "'max_tokens':100," + TOOL + "," + plugin(""));

    private static String key(int number) {
      return "sk-limited-%02d-0123456789abcdef0123456789abcdef".formatted(number);
    }

    private static BigDecimal limit(int number) {
      return LEAST.add(new BigDecimal("0.00005").multiply(new BigDecimal(number)));
    }

    private static FusionGateway gateway() {
      var keys = new ArrayList<String>();
      for (int i = 0; i < KEYS; i++) {
        keys.add("{'name':'limited-%d','key':'%s','limit':%s}".formatted(i, key(i), limit(i)));
      }
      keys.add("{'name':'app','key':'" + Fixtures.APP_KEY + "'}");
      return new FusionGateway(",'keys':[" + String.join(",", keys) + "]", Plugins.none());
    }
  }

  @Test
  @DisplayName("asks as many of the first members as the key can pay for, and never overspends")
  void money() {
    try (var limited = LimitedKeys.gateway()) {
      var answered = new TreeSet<Integer>();
      int before = 0;
      for (int i = 0; i < LimitedKeys.KEYS; i += 2) {
        limited.records.clear();
        FusionGateway.TestResponse response =
            assertServed(
                limited.ask(
                    DialectClient.CHAT,
                    LimitedKeys.key(i),
                    LimitedKeys.PANEL_OFFERED,
                    new Cancellation()));
        JsonNode result = limited.result();
        int members = result.path("responses").size();
        assertThat(members).as("with %s", LimitedKeys.limit(i)).isGreaterThanOrEqualTo(before);
        before = members;
        answered.add(members);
        Usd cost = limited.record().cost();
        int calls = members == 0 ? 2 : members + 3;
        assertThat(cost).isEqualTo(new Usd(calls * FusionGateway.CALL_NANOS));
        assertThat(cost.dollars()).isLessThan(LimitedKeys.limit(i));
        if (members == 0) {
          assertThat(result.path("failure_reason").asText()).isEqualTo("insufficient_credits");
          assertThat(result.path("error").asText())
              .containsPattern("\\$0\\.0[0-9]+"); // the sum that it would need
          assertThat(response.stage().at("/data/status").asText()).isEqualTo("error");
        } else if (members < 3) {
          assertThat(texts(result.path("responses"), "model"))
              .isEqualTo(List.of("acme/a", "acme/b").subList(0, members));
          assertThat(texts(result.path("failed_models"), "status_code")).containsOnly("402");
        }
      }
      assertThat(answered).containsExactly(0, 1, 2, 3);
    }
  }

  private static FusionGateway limited(String limit) {
    return new FusionGateway(
        ",'keys':[{'name':'app','key':'%s','limit':%s}]".formatted(Fixtures.APP_KEY, limit),
        Plugins.none());
  }

  @ParameterizedTest(name = "{0}, {1}, {2}")
  @CsvSource({
    "CHAT, plugin, false",
    "CHAT, plugin, true",
    "CHAT, router/fusion, true",
    "CHAT, router/fusion-flash, false",
    "MESSAGES, plugin, false",
    "MESSAGES, plugin, true",
    "RESPONSES, plugin, false",
    "RESPONSES, plugin, true"
  })
  @DisplayName(
      "that the caller demands but cannot pay for is refused with 402 and the sum, before any call")
  void unpaid(DialectClient client, String how, boolean streamed) {
    try (var poor = limited("0.01")) {
      String body = body(client);
      String entry = how.equals("plugin") ? plugin(PANEL + ",'model':'acme/judge'") : "'top_p':1";
      String named = how.equals("plugin") ? body : body.replace("acme/outer", how);
      FusionGateway.TestResponse response =
          poor.ask(
              client,
              Fixtures.APP_KEY,
              named + ",'stream':" + streamed + "," + entry + "}",
              new Cancellation());
      assertThat(response.status()).as(response.body()).isEqualTo(402);
      assertThat(response.body())
          .contains("payment_required")
          .containsPattern("fusion needs \\$0\\.[0-9]+ for its smallest panel");
      assertThat(poor.upstream.requests()).isZero();
      assertThat(poor.account().settled()).isEqualTo(Charge.ZERO);
    } // closing asserts that nothing is held
  }

  /** Returns the sum that fusion needs according to a refusal. */
  private static BigDecimal needed(FusionGateway.TestResponse refused) {
    assertThat(refused.status()).as(refused.body()).isEqualTo(402);
    Matcher sum = Pattern.compile("fusion needs \\$([0-9.]+) for").matcher(refused.body());
    assertThat(sum.find()).as(refused.body()).isTrue();
    return new BigDecimal(sum.group(1));
  }

  @ParameterizedTest(name = "with {0}")
  @ValueSource(strings = {"'max_tokens':100", "'top_p':1"})
  @DisplayName("needs exactly the sum that its refusal names: with that sum a panel is asked")
  void sum(String members) {
    String demand = request("acme/outer", members + "," + plugin(PANEL + ",'model':'acme/judge'"));
    BigDecimal needed;
    try (var poor = limited("0.01")) {
      needed = needed(poor.ask(demand));
    }
    try (var nearly = limited(needed.subtract(new BigDecimal("0.000000001")).toPlainString())) {
      assertThat(needed(nearly.ask(demand))).isEqualByComparingTo(needed);
      assertThat(nearly.upstream.requests()).isZero();
    }
    try (var enough = limited(needed.toPlainString())) {
      FusionGateway.TestResponse response = assertServed(enough.ask(demand));
      assertThat(texts(enough.result().path("responses"), "model")).containsExactly("acme/a");
      assertThat(enough.result().has("analysis")).isTrue();
      assertThat(texts(enough.result().path("failed_models"), "status_code"))
          .containsExactly("402", "402");
      assertThat(response.stage().at("/data/calls")).hasSize(4);
      assertThat(enough.record().cost()).isEqualTo(new Usd(4 * FusionGateway.CALL_NANOS));
    }
  }

  @Test
  @DisplayName(
      "that the caller demands asks the largest panel that the key can pay for, or answers 402")
  void largest() {
    try (var limited = LimitedKeys.gateway()) {
      var answered = new TreeSet<Integer>();
      int before = 0;
      for (int i = 0; i < LimitedKeys.KEYS; i += 2) {
        limited.records.clear();
        FusionGateway.TestResponse response =
            limited.ask(
                DialectClient.CHAT,
                LimitedKeys.key(i),
                LimitedKeys.PANEL_DEMANDED,
                new Cancellation());
        int members = 0;
        if (response.status() == 402) {
          assertThat(needed(response)).isGreaterThan(LimitedKeys.limit(i));
          assertThat(limited.record().cost()).isEqualTo(Usd.ZERO);
        } else {
          members = assertServed(response).stage().at("/data/calls").size() - 1;
          members -= limited.result().path("failed_models").size();
          assertThat(limited.record().cost())
              .isEqualTo(new Usd((members + 3) * FusionGateway.CALL_NANOS));
        }
        assertThat(members).as("with %s", LimitedKeys.limit(i)).isGreaterThanOrEqualTo(before);
        before = members;
        answered.add(members);
      }
      assertThat(answered).containsExactly(0, 1, 2, 3);
    }
  }

  @Test
  @DisplayName(
      "that the caller demands keeps its money reserved during the first turn of the caller's"
          + " model")
  void rival() {
    String demand = request("acme/outer", plugin(PANEL + ",'model':'acme/judge'"));
    BigDecimal needed;
    try (var poor = limited("0.01")) {
      needed = needed(poor.ask(demand));
    }
    try (var shared = limited(needed.toPlainString())) {
      var others = new ConcurrentLinkedQueue<Integer>();
      String rival =
          "{'model':'acme/d','max_tokens':5000,'messages':[{'role':'user','content':'So?'}]}";
      shared.upstream.respond(
          "outer",
          request -> {
            others.add(shared.ask(rival).status());
            return request.text().contains("call_fusion_1")
                ? Script.answer(FusionGateway.FINAL_ANSWER)
                : Script.builder().text("").toolCall("call_fusion_1", "fusion", "{}").build();
          });
      assertServed(shared.ask(demand));
      assertThat(others).contains(402);
      assertThat(others.peek()).as("during the first turn").isEqualTo(402);
      assertThat(shared.result().path("responses")).hasSize(1);
    }
  }

  @Proves("plugins.fusion.enabled")
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"'tool_choice':'none'", "'top_p':1"})
  @DisplayName("that the caller does not demand, or forbids, causes no refusal")
  void unasked(String members) {
    String defaults =
        ",'plugins':{'defaults':[{'id':'fusion','analysis_models':['acme/a'],'model':'acme/judge'}]}";
    String keys = ",'keys':[{'name':'app','key':'%s','limit':0.01}]".formatted(Fixtures.APP_KEY);
    boolean none = members.contains("none");
    try (var poor = new FusionGateway(none ? keys : keys + defaults, Plugins.none())) {
      poor.upstream.respond("outer", request -> Script.answer(FusionGateway.FINAL_ANSWER));
      String entry = none ? "," + plugin(PANEL + ",'model':'acme/judge'") : "";
      assertServed(poor.ask(request("acme/outer", members + entry)));
    }
  }

  @Test
  @DisplayName(
      "in concurrent requests of one key never spends more than the key's limit, and bills each"
          + " call once")
  void oneKey() throws InterruptedException {
    try (var shared =
        new FusionGateway(
            ",'keys':[{'name':'app','key':'%s','limit':0.06}]".formatted(Fixtures.APP_KEY),
            Plugins.none())) {
      var threads = new ArrayList<Thread>();
      var statuses = new ConcurrentLinkedQueue<Integer>();
      for (int i = 0; i < 8; i++) {
        threads.add(
            shared.ambient.start(
                "asking", () -> statuses.add(shared.ask(LimitedKeys.PANEL_OFFERED).status())));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(statuses).hasSize(8).isSubsetOf(200, 402);
      Usd sum = Usd.ZERO;
      for (CallRecord record : shared.records) {
        long calls = record.cost().nanos() / FusionGateway.CALL_NANOS;
        assertThat(record.cost().nanos() % FusionGateway.CALL_NANOS).isZero();
        assertThat(calls).isIn(0L, 1L, 2L, 4L, 5L, 6L);
        sum = sum.plus(record.cost());
      }
      assertThat(shared.account().settled().credits()).isEqualTo(sum);
      assertThat(sum.dollars()).isLessThan(new BigDecimal("0.06"));
    }
  }

  @Test
  @DisplayName("in concurrent requests of two keys charges each key for its own calls only")
  void tenants() throws InterruptedException {
    try (var limited = LimitedKeys.gateway()) {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 10; i++) {
        String key = i % 2 == 0 ? Fixtures.APP_KEY : LimitedKeys.key(0);
        threads.add(
            limited.ambient.start(
                "tenant",
                () ->
                    assertServed(
                        limited.ask(
                            DialectClient.CHAT,
                            key,
                            LimitedKeys.PANEL_OFFERED,
                            new Cancellation()))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(limited.records).hasSize(10);
      Usd sum = Usd.ZERO;
      for (CallRecord record : limited.records) {
        int calls = "app".equals(record.keyName()) ? 6 : 2;
        assertThat(record.cost()).isEqualTo(new Usd(calls * FusionGateway.CALL_NANOS));
        sum = sum.plus(record.cost());
      }
      assertThat(limited.account().settled().credits()).isEqualTo(sum);
    }
  }
}
