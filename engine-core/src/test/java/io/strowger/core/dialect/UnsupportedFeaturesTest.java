package io.strowger.core.dialect;

import static io.strowger.core.decode.TestRules.problemTexts;
import static io.strowger.core.decode.TestRules.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.PluginEntry;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A feature that this version does not support")
class UnsupportedFeaturesTest {
  /**
   * Accepts every plugin entry, has plugins for the router models acme/fast and Router/Swift, and
   * runs the tools acme:clock and router:clock.
   */
  private static final PluginChecks PLUGINS =
      new PluginChecks() {
        @Override
        public void check(PluginEntry entry, JsonPointer at, Problems problems) {}

        @Override
        public boolean isPluginSlug(String model) {
          return model.equals("acme/fast") || model.equals("Router/Swift");
        }

        @Override
        public Set<String> toolTypes() {
          return Set.of("acme:clock", "router:clock");
        }
      };

  private static List<String> problemsOf(String members) {
    var problems = new Problems();
    UnsupportedFeatures.check((Json.Obj) value("{" + members + "}"), PLUGINS, problems);
    return problemTexts(problems);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'n':2 | /n: must be 1: this version returns only one answer, was 2",
        "'n':1e999999999999 | /n: must be 1: this version returns only one answer, was"
            + " 1e999999999999",
        "'preset':'p' | /preset: is not supported by this version yet, was \"p\"",
        "'model':'router/auto' | /model: is a router whose plugin is not registered with this"
            + " gateway, was \"router/auto\"",
        "'model':'Router/Pareto-Code:nitro' | /model: is a router whose plugin is not registered"
            + " with this gateway, was \"Router/Pareto-Code:nitro\"",
        "'fallbacks':[{'model':'a/b'},{'model':'router/fusion'}] | /fallbacks/1/model: is a router"
            + " whose plugin is not registered with this gateway, was \"router/fusion\"",
        "'tools':[{'type':'function'},{'type':'router:bash'}] | /tools/1/type: is a tool of the"
            + " gateway that no registered plugin runs, was \"router:bash\"",
        "'tools':[{'type':'web_search'}] | /tools/0/type: is a tool of the gateway that no"
            + " registered plugin runs, was \"web_search\"",
        "'tools':[{'type':'namespace','tools':[{'type':'namespace','tools':[{'type':'router:bash'}]}]}]"
            + " | /tools/0/tools/0/tools/0/type: is a tool of the gateway that no registered plugin"
            + " runs, was \"router:bash\"",
        "'input':['x',{'type':'additional_tools','tools':[{'type':'web_search'}]}] |"
            + " /input/1/tools/0/type: is a tool of the gateway that no registered plugin runs, was"
            + " \"web_search\"",
        "'tool_choice':{'type':'router:datetime'} | /tool_choice/type: is a tool of the gateway"
            + " that no registered plugin runs, was \"router:datetime\"",
        "'tool_choice':{'type':'allowed_tools','tools':[1,{'type':'web_search'}]} |"
            + " /tool_choice/tools/1/type: is a tool of the gateway that no registered plugin runs,"
            + " was \"web_search\"",
      })
  @DisplayName("is refused with the pointer of the member that asks for it")
  void refused(String members, String problem) {
    assertThat(problemsOf(members)).containsExactly(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme/fast", "Router/Swift:nitro"})
  @DisplayName("is not a router model whose plugin is registered")
  void active(String model) {
    assertThat(
            problemsOf(
                "'model':'%s','models':['%s'],'fallbacks':[{'model':'%s'}]"
                    .formatted(model, model, model)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'tools':[{'type':'acme:clock'},{'type':'router:clock'}]",
        "'tools':[{'type':'namespace','tools':[{'type':'acme:clock'}]}]",
        "'input':[{'type':'additional_tools','tools':[{'type':'router:clock'}]}]",
        "'tool_choice':{'type':'router:clock'}",
        "'tool_choice':{'type':'allowed_tools','tools':[{'type':'acme:clock'}]}",
      })
  @DisplayName("is not a tool that a plugin runs, wherever it is declared or chosen")
  void runnable(String members) {
    assertThat(problemsOf(members)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'service_tier':'flex','speed':'fast','route':'sort'",
        "'provider':{'zdr':true,'data_collection':'deny','quantizations':['fp8'],'sort':'price'}",
        "'provider':{'require_parameters':true,'max_price':{'prompt':'1'}}",
        "'provider':{'preferred_max_latency':2,'preferred_min_throughput':{'p99':1}}",
      })
  @DisplayName("is not a service tier, speed, route or provider preference")
  void preferences(String members) {
    assertThat(problemsOf(members)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'service_tier':'auto','speed':'standard','route':'fallback','n':1,'preset':null",
        "'service_tier':'default','speed':null,'route':null,'n':1.0,'x':'router:bash'",
        "'service_tier':null,'n':null,'tools':[],'tool_choice':'auto'",
        "'tools':[{'type':'function'}],'tool_choice':{'type':'function'}",
        "'provider':{'order':['a'],'only':[],'ignore':null,'allow_fallbacks':false}",
        "'provider':{'require_parameters':false,'zdr':false,'enforce_distillable_text':null}",
        "'provider':{'data_collection':'allow','quantizations':[],'sort':null}",
        "'provider':{'sort':{'by':null,'partition':'model'},'max_price':{'other':1}}",
        "'provider':{'sort':{},'max_price':{},'preferred_max_latency':{'p50':null,'p10':1}}",
        "'provider':null",
        "'service_tier':'standard'",
        "'service_tier':'standard_only'",
        "'input':[{'type':'router:bash','tools':[{'type':'router:bash'}]}]",
        "'model':'routers/x','models':['acme/best2','']",
      })
  @DisplayName("is not requested by a default value or a similar name")
  void happensAnyway(String members) {
    assertThat(problemsOf(members)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'model':['router/auto'],'models':'router/auto','fallbacks':{'model':'router/auto'}",
        "'fallbacks':['router/auto',null,{},{'model':['router/auto']}]",
        "'service_tier':1,'speed':[],'route':{},'n':'2','tools':'router:bash','tool_choice':[]",
        "'tools':[{'type':'namespace','tools':{'type':'router:bash'}},{'type':'namespace'}]",
        "'input':[{'type':'additional_tools','tools':'router:bash'},{'type':'additional_tools'},1]",
        "'input':{'type':'additional_tools','tools':[{'type':'router:bash'}]}",
        "'tools':[1,'router:bash',null,{'type':1},{}],'tool_choice':{'type':[],'tools':1}",
        "'provider':[],'service_tier':{},'n':[2],'route':true",
        "'provider':{'zdr':'true','data_collection':1,'quantizations':'fp8','sort':1}",
        "'provider':{'max_price':1,'preferred_max_latency':'x','sort':{'by':1,'partition':2}}",
      })
  @DisplayName("is not looked for in members of the wrong type, which the decoder reports")
  void wrongTypes(String members) {
    assertThat(problemsOf(members)).isEmpty();
  }

  @Test
  @DisplayName("is not reported where a problem is known, at the same pointer or below it")
  void notTwice() {
    var problems = new Problems();
    JsonPointer tools = JsonPointer.ROOT.child("tools");
    problems.add(tools.child(0).child("type").child("x"), "must be a type", "x");
    problems.add(JsonPointer.ROOT.child("n"), "must be at least 1", "0");
    problems.add(JsonPointer.ROOT.child("presets"), "another place", "");
    problems.add(tools.child(1), "another place", "");
    int before = problems.count();
    UnsupportedFeatures.check(
        (Json.Obj)
            value(
                "{'n':0,'preset':'p','tools':[{'type':'router:bash'},{},{'type':'router:bash'}]}"),
        PLUGINS,
        problems);
    assertThat(problemTexts(problems).subList(before, problems.count()))
        .containsExactly(
            "/preset: is not supported by this version yet, was \"p\"",
            "/tools/2/type: is a tool of the gateway that no registered plugin runs, was"
                + " \"router:bash\"");
  }

  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("is only counted when no more problems are kept, in time linear in the body's size")
  void many() {
    int tools = 300_000;
    var body =
        Json.object()
            .put("tools", Json.array(Collections.nCopies(tools, value("{'type':'router:bash'}"))))
            .build();
    var problems = new Problems();
    UnsupportedFeatures.check(body, PLUGINS, problems);
    assertThat(problems.count()).isEqualTo(tools);
  }
}
