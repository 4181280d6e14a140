package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatWith;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Proves({
  "chat.model",
  "chat.models",
  "chat.cache_control",
  "chat.debug",
  "chat.frequency_penalty",
  "chat.presence_penalty",
  "chat.image_config",
  "chat.logit_bias",
  "chat.logprobs",
  "chat.top_logprobs",
  "chat.max_completion_tokens",
  "chat.max_tokens",
  "chat.min_p",
  "chat.top_a",
  "chat.top_k",
  "chat.top_p",
  "chat.temperature",
  "chat.repetition_penalty",
  "chat.modalities",
  "chat.parallel_tool_calls",
  "chat.plugins",
  "chat.prediction",
  "chat.prompt_cache_key",
  "chat.prompt_cache_options",
  "chat.provider",
  "chat.reasoning",
  "chat.reasoning_effort",
  "chat.route",
  "chat.seed",
  "chat.service_tier",
  "chat.stop",
  "chat.stream",
  "chat.stream_options",
  "limit.temperature",
  "limit.top_p",
  "limit.penalties",
  "limit.top_logprobs",
  "chat.member.models",
  "chat.member.temperature",
  "chat.member.top_p",
  "chat.member.top_k",
  "chat.member.min_p",
  "chat.member.repetition_penalty",
  "chat.member.penalties",
  "chat.member.seed",
  "chat.member.max_tokens",
  "chat.member.logit_bias",
  "chat.member.logprobs",
  "chat.member.top_logprobs",
  "chat.member.stop",
  "chat.member.stream",
  "chat.member.parallel_tool_calls",
  "chat.member.reasoning",
  "chat.member.prediction",
  "chat.member.modalities",
  "chat.member.image_config",
  "chat.member.prompt_cache_key"
})
@DisplayName("A chat request body")
class ChatMembersTest {
  @Proves({
    "plugins.web.web_search_options",
    "resources.record.usage.include",
    "chat.member.stream_options",
    "chat.member.include_reasoning",
    "open.11"
  })
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'temperature':0",
        "'temperature':2",
        "'temperature':null",
        "'temperature':2.0e0",
        "'top_p':0",
        "'top_p':1",
        "'top_p':null",
        "'frequency_penalty':-2",
        "'frequency_penalty':2.0",
        "'frequency_penalty':null",
        "'presence_penalty':-2.0",
        "'presence_penalty':2",
        "'presence_penalty':null",
        "'top_logprobs':0",
        "'top_logprobs':20",
        "'top_logprobs':null",
        "'top_logprobs':5.0",
        "'top_k':0",
        "'top_k':1",
        "'top_k':null",
        "'max_tokens':1",
        "'max_tokens':2147483647",
        "'max_tokens':null",
        "'max_completion_tokens':1",
        "'max_completion_tokens':null",
        "'min_p':0.5",
        "'min_p':null",
        "'top_a':0",
        "'repetition_penalty':1.1",
        "'seed':-7",
        "'seed':null",
        "'logprobs':true",
        "'logprobs':null",
        "'parallel_tool_calls':false",
        "'logit_bias':{'50256':-100}",
        "'logit_bias':null",
        "'stop':'x'",
        "'stop':[]",
        "'stop':['a','b','c','d']",
        "'stop':null",
        "'stream':true",
        "'stream':false",
        "'stream_options':{'include_usage':true}",
        "'stream_options':null",
        "'user':''",
        "'debug':{'echo_upstream_body':true}",
        "'service_tier':'default'",
        "'service_tier':null",
        "'prompt_cache_key':null",
        "'prompt_cache_options':{'mode':'explicit','ttl':null}",
        "'prompt_cache_options':null",
        "'cache_control':{'type':'ephemeral','ttl':'1h'}",
        "'modalities':['text','audio']",
        "'image_config':{'a':'b','c':1,'d':[]}",
        "'trace':{'trace_id':'x','other':{}}",
        "'prediction':{'type':'content','content':'x'}",
        "'prediction':null",
        "'prediction':{'type':'content','content':[{'type':'text','text':'x'}]}",
        "'reasoning':{'effort':null,'summary':'auto','max_tokens':1024,'exclude':true}",
        "'reasoning':{'effort':'low'},'reasoning_effort':'low'",
        "'reasoning_effort':null",
        "'route':'fallback'",
        "'route':{}",
        "'stop_server_tools_when':{'type':'step_count_is','step_count':1}",
        "'route':null",
        "'model':'a/b'",
        "'models':[]",
        "'models':['a','b']",
        "'plugins':[]",
        "'tools':[]",
        "'provider':null",
        "'provider':{}",
        "'stop_server_tools_when':[{'type':'step_count_is','step_count':1}]",
        "'stop_server_tools_when':[{'type':'max_cost','max_cost_in_dollars':0.5}]",
        "'preset':null",
        "'n':1",
        "'n':null",
        "'anything_else':{'a':[1]}",
        "'temperature':1.999",
        "'min_p':0,'top_a':1.0,'repetition_penalty':2",
        "'min_p':1,'top_a':null,'repetition_penalty':0",
        "'logit_bias':{'1':100,'x':-100.0}",
        "'top_k':9223372036854775807",
        "'service_tier':'auto'",
        "'service_tier':'priority'",
        "'service_tier':'scale'",
        "'route':'sort'",
        "'n':2",
        "'max_tool_calls':1",
        "'max_tool_calls':1000",
        "'max_tool_calls':null",
        "'preset':'support-bot_2'",
        "'verbosity':'xhigh'",
        "'verbosity':null",
        "'include_reasoning':false",
        "'web_search_options':{'search_context_size':'high','x':1}",
        "'web_search_options':{}",
        "'cache_control':{'type':'ephemeral','x':1}",
        "'debug':{'x':1}",
        "'stream_options':{'x':null}",
        "'image_config':{}",
        "'modalities':[]",
        "'reasoning':{'max_tokens':0,'enabled':false,'summary':null,'x':1}",
        "'reasoning':{'effort':null},'reasoning_effort':'high'",
        "'reasoning':{'effort':'high'},'reasoning_effort':null",
      })
  @DisplayName("may have")
  void accepted(String member) {
    assertThat(problems(chatWith(member))).isEmpty();
  }

  @Proves({"chat.member.reasoning_effort", "chat.answer.400"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'temperature':-0.1 | /temperature: must be a number from 0 to 2, was -0.1",
        "'temperature':2.1 | /temperature: must be a number from 0 to 2, was 2.1",
        "'temperature':'1' | /temperature: must be a number from 0 to 2, was \"1\"",
        "'temperature':1e9999999999 | /temperature: must be a number from 0 to 2, was 1e9999999999",
        "'top_p':-0.01 | /top_p: must be a number from 0 to 1, was -0.01",
        "'top_p':1.01 | /top_p: must be a number from 0 to 1, was 1.01",
        "'frequency_penalty':-2.01 | /frequency_penalty: must be a number from -2 to 2, was -2.01",
        "'presence_penalty':2.01 | /presence_penalty: must be a number from -2 to 2, was 2.01",
        "'top_logprobs':21 | /top_logprobs: must be a whole number from 0 to 20, was 21",
        "'top_logprobs':-1 | /top_logprobs: must be a whole number from 0 to 20, was -1",
        "'top_logprobs':1.5 | /top_logprobs: must be a whole number from 0 to 20, was 1.5",
        "'top_k':-1 | /top_k: must be a whole number of at least 0, was -1",
        "'max_tokens':0 | /max_tokens: must be a whole number from 1 to 2147483647, was 0",
        "'max_tokens':2147483648 | /max_tokens: must be a whole number from 1 to 2147483647, was"
            + " 2147483648",
        "'max_completion_tokens':0 | /max_completion_tokens: must be a whole number from 1 to"
            + " 2147483647, was 0",
        "'min_p':'x' | /min_p: must be a number from 0 to 1, was \"x\"",
        "'seed':1.5 | /seed: must be a whole number, was 1.5",
        "'logprobs':1 | /logprobs: must be true or false, was 1",
        "'logit_bias':{'1':'x'} | /logit_bias/1: must be a number from -100 to 100, was \"x\"",
        "'stop':['a','b','c','d','e'] | /stop: must have at most 4 items, was an array of 5",
        "'stop':[1] | /stop/0: must be a string, was 1",
        "'stop':1 | /stop: must be a string or an array of at most 4 strings, was 1",
        "'stream':null | /stream: must be true or false, was null",
        "'stream':'yes' | /stream: must be true or false, was \"yes\"",
        "'stream_options':{'include_usage':1} | /stream_options/include_usage: must be true or"
            + " false, was 1",
        "'user':1 | /user: must be a string, was 1",
        "'user':null | /user: must be a string, was null",
        "'debug':null | /debug: must be an object, was null",
        "'service_tier':'x' | /service_tier: must be one of auto, default, fast, flex, priority,"
            + " scale, was \"x\"",
        "'cache_control':{} | /cache_control/type: is required",
        "'cache_control':{'type':'x'} | /cache_control/type: must be ephemeral, was \"x\"",
        "'cache_control':{'type':'ephemeral','ttl':'2h'} | /cache_control/ttl: must be one of 5m,"
            + " 1h, was \"2h\"",
        "'prompt_cache_options':{} | /prompt_cache_options/mode: is required",
        "'modalities':['video'] | /modalities/0: must be one of text, image, audio, was \"video\"",
        "'image_config':{'a':true} | /image_config/a: must be a string, number or array, was true",
        "'trace':{'trace_id':1} | /trace/trace_id: must be a string, was 1",
        "'prediction':{'type':'content'} | /prediction/content: is required",
        "'reasoning':null | /reasoning: must be an object, was null",
        "'reasoning':{'effort':'huge'} | /reasoning/effort: must be one of max, xhigh, high,"
            + " medium, low, minimal, none, was \"huge\"",
        "'reasoning':{'effort':'low'},'reasoning_effort':'high' | /reasoning_effort: must not"
            + " differ from reasoning.effort, which is low, was \"high\"",
        "'route':'x' | /route: must be one of fallback, sort, was \"x\"",
        "'n':0 | /n: must be a whole number of at least 1, was 0",
        "'n':'2' | /n: must be a whole number of at least 1, was \"2\"",
        "'model':'' | /model: must be a string, not empty, was \"\"",
        "'model':null | /model: must be a string, not empty, was null",
        "'models':[''] | /models/0: must be a string, not empty, was \"\"",
        "'models':null | /models: must be an array, was null",
        "'plugins':[1] | /plugins/0: must be an object, was 1",
        "'plugins':[{}] | /plugins/0/id: is required",
        "'plugins':[{'id':'web','enabled':1}] | /plugins/0/enabled: must be true or false, was 1",
        "'stop_server_tools_when':[] | /stop_server_tools_when: must have at least 1 item, was an"
            + " array of 0",
        "'stop_server_tools_when':[{'type':'step_count_is','step_count':0}] |"
            + " /stop_server_tools_when/0/step_count: must be a whole number of at least 1, was 0",
        "'stop_server_tools_when':[{'type':'x'}] | /stop_server_tools_when/0/type: must be one of"
            + " step_count_is, has_tool_call, max_tokens_used, max_cost, finish_reason_is, was"
            + " \"x\"",
      })
  @DisplayName("may not have")
  void refused(String member, String problem) {
    assertThat(problems(chatWith(member))).containsExactly(problem);
  }

  @Proves("plugins.web.web_search_options")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
"""
'temperature':true | /temperature: must be a number from 0 to 2, was true
'temperature':2.0000001 | /temperature: must be a number from 0 to 2, was 2.0000001
'frequency_penalty':2.01 | /frequency_penalty: must be a number from -2 to 2, was 2.01
'presence_penalty':-2.01 | /presence_penalty: must be a number from -2 to 2, was -2.01
'min_p':-0.1 | /min_p: must be a number from 0 to 1, was -0.1
'min_p':1.1 | /min_p: must be a number from 0 to 1, was 1.1
'top_a':-0.1 | /top_a: must be a number from 0 to 1, was -0.1
'top_a':1.1 | /top_a: must be a number from 0 to 1, was 1.1
'repetition_penalty':-0.1 | /repetition_penalty: must be a number from 0 to 2, was -0.1
'repetition_penalty':2.1 | /repetition_penalty: must be a number from 0 to 2, was 2.1
'logit_bias':{'1':-100.1} | /logit_bias/1: must be a number from -100 to 100, was -100.1
'logit_bias':{'1':100.1} | /logit_bias/1: must be a number from -100 to 100, was 100.1
'logit_bias':{'1':null} | /logit_bias/1: must be a number from -100 to 100, was null
'logit_bias':[] | /logit_bias: must be an object, was an array of 0
'top_k':1.5 | /top_k: must be a whole number of at least 0, was 1.5
'seed':9223372036854775808 | /seed: must be a whole number, was 9223372036854775808
'parallel_tool_calls':'yes' | /parallel_tool_calls: must be true or false, was "yes"
'prompt_cache_key':1 | /prompt_cache_key: must be a string, was 1
'prompt_cache_options':{'mode':'auto'} | /prompt_cache_options/mode: must be explicit, was "auto"
'prompt_cache_options':{'mode':'explicit','ttl':1} | /prompt_cache_options/ttl: must be a string, was 1
'cache_control':null | /cache_control: must be an object, was null
'debug':{'echo_upstream_body':null} | /debug/echo_upstream_body: must be true or false, was null
'stream_options':[] | /stream_options: must be an object, was an array of 0
'modalities':null | /modalities: must be an array, was null
'modalities':[null] | /modalities/0: must be one of text, image, audio, was null
'image_config':null | /image_config: must be an object, was null
'image_config':{'a':{}} | /image_config/a: must be a string, number or array, was an object
'image_config':{'a':null} | /image_config/a: must be a string, number or array, was null
'metadata':null | /metadata: must be an object, was null
'trace':null | /trace: must be an object, was null
'trace':{'parent_span_id':null} | /trace/parent_span_id: must be a string, was null
'prediction':{'content':'x'} | /prediction/type: is required
'prediction':{'type':'x','content':'x'} | /prediction/type: must be content, was "x"
'prediction':{'type':'content','content':null} | /prediction/content: must be a string or an array of content parts, was null
'prediction':{'type':'content','content':[{'type':'image_url'}]} | /prediction/content/0/type: must be text, the only type allowed here, was "image_url"
'provider':1 | /provider: must be an object, was 1
'plugins':null | /plugins: must be an array, was null
'models':'a' | /models: must be an array, was "a"
'stop':{} | /stop: must be a string or an array of at most 4 strings, was an object
'stop':['a',null] | /stop/1: must be a string, was null
'session_id':null | /session_id: must be a string of at most 256 characters, was null
'route':1 | /route: must be one of fallback, sort, was 1
'service_tier':['auto'] | /service_tier: must be one of auto, default, fast, flex, priority, scale, was an array of 1
'include_reasoning':null | /include_reasoning: must be true or false, was null
'max_tool_calls':0 | /max_tool_calls: must be a whole number of at least 1, was 0
'max_tool_calls':1.5 | /max_tool_calls: must be a whole number of at least 1, was 1.5
'n':1.5 | /n: must be a whole number of at least 1, was 1.5
'preset':'' | /preset: must be 1 to 100 of a-z 0-9, with single - or _ between them, was ""
'preset':'A' | /preset: must be 1 to 100 of a-z 0-9, with single - or _ between them, was "A"
'preset':'a--b' | /preset: must be 1 to 100 of a-z 0-9, with single - or _ between them, was "a--b"
'preset':1 | /preset: must be 1 to 100 of a-z 0-9, with single - or _ between them, was 1
'verbosity':'minimal' | /verbosity: must be one of low, medium, high, xhigh, max, was "minimal"
'web_search_options':null | /web_search_options: must be an object, was null
'web_search_options':{'search_context_size':'max'} | /web_search_options/search_context_size: must be one of low, medium, high, was "max"
'stop_server_tools_when':null | /stop_server_tools_when: must be an array, was null
'stop_server_tools_when':[{}] | /stop_server_tools_when/0/type: is required
'stop_server_tools_when':[{'type':'has_tool_call','tool_name':''}] | /stop_server_tools_when/0/tool_name: must be a string, not empty, was ""
'reasoning':{'summary':'long'} | /reasoning/summary: must be one of auto, concise, detailed, was "long"
'reasoning':{'max_tokens':-1} | /reasoning/max_tokens: must be a whole number from 0 to 2147483647, was -1
'reasoning':{'max_tokens':null} | /reasoning/max_tokens: must be a whole number from 0 to 2147483647, was null
'reasoning':{'exclude':1} | /reasoning/exclude: must be true or false, was 1
'reasoning':{'enabled':null} | /reasoning/enabled: must be true or false, was null
'reasoning_effort':'huge' | /reasoning_effort: must be one of max, xhigh, high, medium, low, minimal, none, was "huge"
'reasoning_effort':'huge','reasoning':{'effort':'low'} | /reasoning_effort: must be one of max, xhigh, high, medium, low, minimal, none, was "huge"
'reasoning_effort':'low','reasoning':{'effort':'huge'} | /reasoning/effort: must be one of max, xhigh, high, medium, low, minimal, none, was "huge"
'reasoning_effort':'low','reasoning':1 | /reasoning: must be an object, was 1
""")
  @DisplayName("may not have either")
  void also(String member, String problem) {
    assertThat(problems(chatWith(member))).containsExactly(problem);
  }
}
