package io.strowger.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A request that is built from the members of a body")
class BuiltParametersTest {
  private static final PluginRegistry NO_PLUGINS = PluginRegistry.of(Plugins.none());
  private static final String MESSAGES = "'messages':[{'role':'user','content':'hi'}]";

  /** Returns members that set parameters, in the form of the dialect; some set none. */
  private static List<String> members(Dialect dialect) {
    return switch (dialect) {
      case CHAT ->
          List.of(
              "'temperature':1",
              "'top_p':1",
              "'top_k':1",
              "'min_p':0",
              "'top_a':0",
              "'frequency_penalty':0",
              "'presence_penalty':0",
              "'repetition_penalty':1",
              "'max_tokens':9",
              "'max_completion_tokens':9",
              "'logit_bias':{'1':1}",
              "'logprobs':true",
              "'logprobs':true,'top_logprobs':1",
              "'prediction':{'type':'content','content':'x'}",
              "'seed':1",
              "'response_format':{'type':'text'}",
              "'response_format':{'type':'json_object'}",
              "'response_format':{'type':'json_schema','json_schema':{'name':'n'}}",
              "'response_format':{'type':'grammar','grammar':'g'}",
              "'stop':'x'",
              "'stop':null",
              "'tools':[{'type':'function','function':{'name':'f'}}]",
              "'tools':[]",
              "'tool_choice':'auto'",
              "'parallel_tool_calls':true",
              "'include_reasoning':true",
              "'reasoning':{'effort':'low'}",
              "'reasoning_effort':'low'",
              "'web_search_options':{}",
              "'verbosity':'low'",
              "'temperature':null",
              "'x':1");
      case MESSAGES ->
          List.of(
              "'temperature':1",
              "'top_p':1",
              "'top_k':1",
              "'max_tokens':9",
              "'stop_sequences':['x']",
              "'thinking':{'type':'adaptive'}",
              "'tools':[{'name':'f','input_schema':{'type':'object'}}]",
              "'tool_choice':{'type':'auto'}",
              "'tool_choice':{'type':'auto','disable_parallel_tool_use':true}",
              "'output_config':{'effort':'low'}",
              "'output_config':{'format':{'type':'json_schema','schema':{}}}",
              "'x':1");
      case RESPONSES ->
          List.of(
              "'temperature':1",
              "'top_p':1",
              "'top_k':1",
              "'frequency_penalty':0",
              "'presence_penalty':0",
              "'top_logprobs':1",
              "'max_output_tokens':9",
              "'tools':[{'type':'function','name':'f','parameters':null}]",
              "'tool_choice':'auto'",
              "'parallel_tool_calls':true",
              "'reasoning':{'effort':'low'}",
              "'reasoning':null",
              "'text':{'verbosity':'low'}",
              "'text':{'format':{'type':'json_object'}}",
              "'text':{'format':{'type':'text'}}",
              "'text':{'format':{'type':'json_schema','name':'n','schema':{}}}",
              "'x':1");
      case GEMINI -> List.of();
    };
  }

  private static Json.Obj body(Dialect dialect, String members) {
    String input = dialect == Dialect.RESPONSES ? "'input':'hi'" : MESSAGES;
    String text = ("{'model':'m'," + input + "," + members + "}").replace('\'', '"');
    try {
      return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new AssertionError(text, e);
    }
  }

  private static InferenceRequest decode(Dialect dialect, Json.Obj body) {
    var problems = new Problems();
    InferenceRequest request =
        switch (dialect) {
          case CHAT -> new ChatDecoder(NO_PLUGINS).decode(body, problems);
          case MESSAGES -> new MessagesDecoder(NO_PLUGINS).decode(body, problems);
          case RESPONSES -> new ResponsesDecoder(NO_PLUGINS).decode(body, problems);
          case GEMINI -> throw new AssertionError("callers cannot send the Gemini dialect");
        };
    assertThat(problems.list()).as(body.toString()).isEmpty();
    return request;
  }

  @ParameterizedTest
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("requires the same parameters of an endpoint as one that a caller sent")
  void same(Dialect dialect) {
    var seen = EnumSet.noneOf(Parameter.class);
    for (String members : members(dialect)) {
      Json.Obj body = body(dialect, members);
      InferenceRequest sent = decode(dialect, body);
      InferenceRequest built =
          InferenceRequest.builder(dialect, body)
              .tools(sent.tools())
              .maxOutputTokens(sent.maxOutputTokens())
              .build();
      assertThat(built.parameterMask()).as(members).isEqualTo(sent.parameterMask());
      assertThat(built.generationParameters().values())
          .as(members)
          .isEqualTo(sent.generationParameters().values());
      for (Parameter parameter : Parameter.values()) {
        if ((sent.parameterMask() & parameter.bit()) != 0) {
          seen.add(parameter);
        }
      }
    }
    if (dialect == Dialect.CHAT) {
      assertThat(seen).containsExactlyInAnyOrder(Parameter.values());
    }
  }
}
