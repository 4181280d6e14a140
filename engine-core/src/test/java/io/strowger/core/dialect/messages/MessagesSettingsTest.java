package io.strowger.core.dialect.messages;

import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.model.OutputFormat;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.model.ToolChoice;
import io.strowger.tck.conformance.Proves;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The generation parameters of a messages request")
class MessagesSettingsTest {
  private static final MessagesDecoder DECODER = new MessagesDecoder((entries, at, problems) -> {});
  private static final GenerationParameters NO_PARAMETERS = parameters("'max_tokens':5000");

  private static GenerationParameters parameters(String members) {
    var problems = new Problems();
    String body = "{'model':'m','messages':[{'role':'user','content':'hi'}]," + members + "}";
    GenerationParameters read = DECODER.decode(json(body), problems).generationParameters();
    assertThat(problems.list()).isEmpty();
    return read;
  }

  @Proves("messages.member.sampling")
  @Test
  @DisplayName("keep temperature, top_p and top_k as they were written")
  void values() {
    assertThat(parameters("'temperature':0.70,'top_p':1.0,'top_k':5").values())
        .hasToString("{TEMPERATURE=0.70, TOP_P=1.0, TOP_K=5}");
  }

  @Test
  @DisplayName(
      "treat a parameter of another dialect as an unknown member, since it was not checked")
  void unknownParameter() {
    GenerationParameters parameters = parameters("'seed':'x'");

    assertThat(parameters.value(Parameter.SEED)).isNull();
    assertThat(parameters.dialectMembers()).isEqualTo(Map.of("seed", Json.of("x")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'metadata':{'user_id':'u'}",
        "'metadata':{'user_id':null}",
        "'speed':null",
        "'speed':'standard'",
        "'output_config':{'effort':null,'format':null,'task_budget':null}",
        "'context_management':null",
        "'system':'s','stream':true,'user':'u','session_id':'s','fallbacks':[{'model':'n'}]",
        "'provider':{},'plugins':[],'fallbacks':[]",
      })
  @DisplayName(
      "are empty for members that are defaults or have a method of their own on the request")
  void nothing(String members) {
    assertThat(parameters(members)).usingRecursiveComparison().isEqualTo(NO_PARAMETERS);
  }

  @Test
  @DisplayName("have the stop sequences")
  void stop() {
    assertThat(parameters("'stop_sequences':['a','b']").stopSequences()).containsExactly("a", "b");
  }

  @Proves("messages.member.tool_choice")
  @ParameterizedTest
  @CsvSource({"auto, AUTO", "any, REQUIRED", "none, NONE"})
  @DisplayName("know the modes of tool_choice")
  void toolChoice(String type, ToolChoice.Mode choice) {
    assertThat(parameters("'tool_choice':{'type':'" + type + "'}").toolChoice()).isEqualTo(choice);
  }

  @Proves("messages.member.tool_choice")
  @Test
  @DisplayName("know one tool by its name, and whether tools may be called in parallel")
  void namedTool() {
    GenerationParameters one =
        parameters("'tool_choice':{'type':'tool','name':'f','disable_parallel_tool_use':true}");

    assertThat(one.toolChoice()).isEqualTo(new ToolChoice.Named("f"));
    assertThat(one.parallelToolCalls()).isFalse();
    assertThat(parameters("'tool_choice':{'type':'auto'}").parallelToolCalls()).isNull();
    assertThat(
            parameters("'tool_choice':{'type':'any','disable_parallel_tool_use':false}")
                .parallelToolCalls())
        .isTrue();
  }

  @Proves("messages.member.thinking")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      nullValues = "-",
      textBlock =
"""
{'type':'enabled','budget_tokens':2000}                       | 2000 | true  | -    | false | false
{'type':'enabled','budget_tokens':2000,'display':'omitted'}   | 2000 | true  | -    | true  | false
{'type':'adaptive'}                                           | -1   | -     | -    | false | true
{'type':'adaptive','display':'summarized'}                    | -1   | -     | auto | false | true
{'type':'disabled'}                                           | -1   | false | -    | false | false
""")
  @DisplayName("have the options of thinking")
  void thinking(
      String thinking,
      int budget,
      Boolean enabled,
      String summary,
      boolean hidden,
      boolean adaptive) {
    assertThat(parameters("'max_tokens':4000,'thinking':" + thinking).reasoning())
        .isEqualTo(new ReasoningOptions(null, budget, enabled, summary, hidden, adaptive));
  }

  @Proves("operation.messages.output_config")
  @Test
  @DisplayName("have the effort, even if thinking is disabled")
  void effort() {
    ReasoningOptions reasoning =
        parameters("'output_config':{'effort':'xhigh'},'thinking':{'type':'disabled'}").reasoning();

    assertThat(reasoning.effort()).isEqualTo(Effort.XHIGH);
    assertThat(reasoning.isDisabled()).isTrue();
  }

  @Proves("operation.messages.output_config")
  @Test
  @DisplayName("have a schema without a name")
  void format() {
    assertThat(
            parameters("'output_config':{'format':{'type':'json_schema','schema':{'x':1}}}")
                .format())
        .isEqualTo(new OutputFormat.JsonSchema(null, null, json("{'x':1}"), null));
  }

  @Proves("messages.member.service_tier")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      nullValues = "-",
      textBlock =
"""
'service_tier':'standard_only'                | standard_only
'speed':'fast'                                | fast
'service_tier':'auto','speed':'fast'          | fast
'service_tier':'standard_only','speed':'fast' | standard_only
'service_tier':'auto','speed':'standard'      | auto
""")
  @DisplayName("have the speed fast as the service tier where no other tier is named")
  void tier(String members, String tier) {
    assertThat(parameters(members).serviceTier()).isEqualTo(tier);
  }

  @Proves({"operation.messages.cache_control", "messages.member.cache_control"})
  @Test
  @DisplayName("have the cache control of the whole request")
  void cache() {
    assertThat(parameters("'cache_control':{'type':'ephemeral','ttl':'5m'}").cacheControl())
        .isEqualTo(json("{'type':'ephemeral','ttl':'5m'}"));
  }

  @Test
  @DisplayName("keep members that no other dialect has, also inside other members")
  void others() {
    GenerationParameters parameters =
        parameters(
            "'context_management':{'edits':[]},'container':'c','metadata':{'user_id':'u','x':1},"
                + "'thinking':{'type':'adaptive','y':2},"
                + "'output_config':{'task_budget':{'type':'tokens','total':20000}}");

    assertThat(parameters.dialectMembers())
        .containsOnlyKeys(
            "context_management",
            "container",
            "metadata.x",
            "thinking.y",
            "output_config.task_budget");
  }
}
