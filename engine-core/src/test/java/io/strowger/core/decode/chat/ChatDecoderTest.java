package io.strowger.core.decode.chat;

import static io.strowger.core.decode.chat.Documents.chatOf;
import static io.strowger.core.decode.chat.Documents.chatWith;
import static io.strowger.core.decode.chat.Documents.good;
import static io.strowger.core.decode.chat.Documents.json;
import static io.strowger.core.decode.chat.Documents.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A chat body")
class ChatDecoderTest {
  @Test
  @DisplayName("needs messages, and nothing else")
  void messagesOnly() {
    assertThat(problems(json("{}"))).containsExactly("/messages: is required");
    assertThat(problems(json("{'messages':[]}")))
        .containsExactly("/messages: must have at least 1 item, was an array of 0");
    assertThat(problems(json("{'messages':null}")))
        .containsExactly("/messages: must be an array, was null");
    assertThat(problems(chatWith("'x':1"))).isEmpty();
  }

  @Test
  @DisplayName("is refused with everything that is wrong with it at once")
  void allAtOnce() {
    assertThat(
            problems(
                json(
                    "{'temperature':2.5,'messages':[{'role':'user'},{'role':'x'}],"
                        + "'provider':{'nope':1,'order':'a'}}")))
        .containsExactly(
            "/temperature: must be a number from 0 to 2, was 2.5",
            "/messages/0/content: is required",
            "/messages/1/role: must be one of system, user, developer, assistant, tool, was \"x\"",
            "/provider/nope: is not a member of provider, was 1",
            "/provider/order: must be an array, was \"a\"");
  }

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
        "'route':null",
        "'model':'a/b'",
        "'models':[]",
        "'models':['a','b']",
        "'plugins':[]",
        "'tools':[]",
        "'provider':null",
        "'provider':{}",
        "'response_format':{'type':'text'}",
        "'response_format':{'type':'json_object'}",
        "'response_format':{'type':'python'}",
        "'response_format':{'type':'grammar','grammar':'x'}",
        "'response_format':{'type':'json_schema','json_schema':{'name':'n','strict':null}}",
        "'stop_server_tools_when':[{'type':'step_count_is','step_count':1}]",
        "'stop_server_tools_when':[{'type':'max_cost','max_cost_in_dollars':0.5}]",
        "'tool_choice':'auto'",
        "'tool_choice':{'type':'function','function':{'name':'f'}}",
        "'preset':null",
        "'n':1",
        "'n':null",
        "'anything_else':{'a':[1]}",
      })
  @DisplayName("may have")
  void accepted(String member) {
    assertThat(problems(chatWith(member))).isEmpty();
  }

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
        "'response_format':null | /response_format: must be an object, was null",
        "'response_format':{} | /response_format/type: is required",
        "'response_format':{'type':'x'} | /response_format/type: must be one of text, json_object,"
            + " json_schema, grammar, python, was \"x\"",
        "'response_format':{'type':'json_schema'} | /response_format/json_schema: is required",
        "'response_format':{'type':'json_schema','json_schema':{}} |"
            + " /response_format/json_schema/name: is required",
        "'response_format':{'type':'grammar'} | /response_format/grammar: is required",
        "'stop_server_tools_when':[] | /stop_server_tools_when: must have at least 1 item, was an"
            + " array of 0",
        "'stop_server_tools_when':[{'type':'step_count_is','step_count':0}] |"
            + " /stop_server_tools_when/0/step_count: must be a whole number of at least 1, was 0",
        "'stop_server_tools_when':[{'type':'x'}] | /stop_server_tools_when/0/type: must be one of"
            + " step_count_is, has_tool_call, max_tokens_used, max_cost, finish_reason_is, was"
            + " \"x\"",
        "'tool_choice':null | /tool_choice: must be none, auto, required or an object that names a"
            + " tool, was null",
        "'tool_choice':'f' | /tool_choice: must be one of none, auto, required, was \"f\"",
        "'tool_choice':{'type':'function'} | /tool_choice/function: is required",
        "'tool_choice':{'type':'router:other'} | /tool_choice/type: must be one of function,"
            + " router:web_search, web_search, web_search_preview, web_search_preview_2025_03_11,"
            + " web_search_2025_08_26, router:web_fetch, router:datetime, router:files,"
            + " router:bash, router:image_generation, router:experimental__search_models,"
            + " router:fusion, router:advisor, router:subagent, was \"router:other\"",
      })
  @DisplayName("may not have")
  void refused(String member, String problem) {
    assertThat(problems(chatWith(member))).containsExactly(problem);
  }

  @Nested
  @DisplayName("bounds the length of")
  class Lengths {
    private String name(int chars) {
      return "n".repeat(chars);
    }

    @Test
    @DisplayName("session_id at 256 characters, however many bytes they have")
    void session() {
      assertThat(good(chatWith("'session_id':'" + name(256) + "'")).sessionId()).hasSize(256);
      assertThat(problems(chatWith("'session_id':'" + "€".repeat(256) + "'"))).isEmpty();
      assertThat(problems(chatWith("'session_id':'" + "\uD83D\uDE00".repeat(256) + "'"))).isEmpty();
      assertThat(problems(chatWith("'session_id':'" + name(257) + "'")))
          .containsExactly(
              "/session_id: must be a string of at most 256 characters, was \""
                  + name(40)
                  + "...\"");
    }

    @Test
    @DisplayName("metadata at 16 pairs, 64 and 512 characters")
    void metadata() {
      assertThat(problems(chatWith("'metadata':{" + pairs(16) + "}"))).isEmpty();
      assertThat(problems(chatWith("'metadata':{" + pairs(17) + "}")))
          .containsExactly("/metadata: must have at most 16 pairs, was 17");
      assertThat(problems(chatWith("'metadata':{'" + name(64) + "':'" + name(512) + "'}")))
          .isEmpty();
      assertThat(problems(chatWith("'metadata':{'" + name(65) + "':'x'}")))
          .singleElement()
          .asString()
          .startsWith("/metadata: must have keys of at most 64 characters");
      assertThat(problems(chatWith("'metadata':{'k':'" + name(513) + "'}")))
          .singleElement()
          .asString()
          .startsWith("/metadata/k: must be a string of at most 512 characters");
      assertThat(problems(chatWith("'metadata':{'k':1}"))).hasSize(1);
    }

    private String pairs(int count) {
      var pairs = new StringBuilder("'k0':'v'");
      for (int i = 1; i < count; i++) {
        pairs.append(",'k").append(i).append("':'v'");
      }
      return pairs.toString();
    }

    @Test
    @DisplayName("the name of a JSON schema at 64 characters")
    void schemaName() {
      String format = "'response_format':{'type':'json_schema','json_schema':{'name':'%s'}}";
      assertThat(problems(chatWith(format.formatted(name(64))))).isEmpty();
      assertThat(problems(chatWith(format.formatted(name(65))))).hasSize(1);
      assertThat(problems(chatWith(format.formatted("")))).hasSize(1);
    }
  }

  @Test
  @DisplayName("gives what routing needs in its own type")
  void typed() {
    InferenceRequest request =
        good(
            chatWith(
                "'model':'a/b:free','models':['a/b:free','c/d'],'stream':true,'max_tokens':10,"
                    + "'user':'u1','provider':{'only':['x'],'order':['y'],'ignore':['z'],"
                    + "'allow_fallbacks':false}"));
    assertThat(request.models().toString()).isEqualTo("[a/b:free, c/d]");
    assertThat(request.models().get(0).variants()).containsExactly("free");
    assertThat(request.streaming()).isTrue();
    assertThat(request.maxOutputTokens()).isEqualTo(10);
    assertThat(request.user()).isEqualTo("u1");
    assertThat(request.preferences().only()).containsExactly("x");
    assertThat(request.preferences().order()).containsExactly("y");
    assertThat(request.preferences().ignore()).containsExactly("z");
    assertThat(request.preferences().allowFallbacks()).isFalse();
    assertThat(good(chatWith("'x':1")).models()).isEmpty();
  }

  @Test
  @DisplayName("takes max_completion_tokens over the deprecated max_tokens")
  void tokenLimits() {
    assertThat(good(chatWith("'max_tokens':10,'max_completion_tokens':20")).maxOutputTokens())
        .isEqualTo(20);
    assertThat(good(chatWith("'max_completion_tokens':null,'max_tokens':10")).maxOutputTokens())
        .isEqualTo(10);
    assertThat(good(chatWith("'max_tokens':null")).maxOutputTokens()).isZero();
  }

  @Test
  @DisplayName("says which parameters it uses; null uses none")
  void parameters() {
    assertThat(good(chatWith("'temperature':1,'top_k':1,'stop':'x','seed':null")).parameters())
        .isEqualTo(Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.TOP_K, Parameter.STOP)));
    assertThat(good(chatWith("'user':'x','metadata':{},'stream':true")).parameters()).isZero();
    assertThat(good(chatWith("'response_format':{'type':'json_object'}")).parameters())
        .isEqualTo(Parameter.RESPONSE_FORMAT.bit());
    assertThat(
            good(chatWith("'response_format':{'type':'json_schema','json_schema':{'name':'n'}}"))
                .parameters())
        .isEqualTo(Parameter.STRUCTURED_OUTPUTS.bit());
    assertThat(good(chatWith("'response_format':{'type':'text'}")).parameters()).isZero();
    assertThat(good(chatWith("'max_tokens':1,'max_completion_tokens':1")).parameters())
        .isEqualTo(Parameter.mask(List.of(Parameter.MAX_TOKENS, Parameter.MAX_COMPLETION_TOKENS)));
    assertThat(good(chatWith("'tools':[{'type':'function','function':{'name':'f'}}]")).parameters())
        .isEqualTo(Parameter.TOOLS.bit());
  }

  @Test
  @DisplayName("hands its plugin entries to the registry, switched off ones included")
  void plugins() {
    Json.Obj body = chatWith("'plugins':[{'id':'web'},{'id':'x','enabled':false,'n':1}]");
    var problems = new Problems();
    var entries = new ArrayList<PluginEntry>();
    var decoder =
        new ChatDecoder(
            (entry, at, found) -> {
              entries.add(entry);
              if (!entry.enabled()) {
                found.add(at.child("n"), "is not a member of x", Json.of(1));
              }
            });
    decoder.decode(body, problems);
    assertThat(entries).extracting(PluginEntry::id).containsExactly("web", "x");
    assertThat(problems.list())
        .singleElement()
        .hasToString("/plugins/1/n: is not a member of x, was 1");
    assertThat(problems.list().get(0).at())
        .isEqualTo(JsonPointer.ROOT.child("plugins").child(1).child("n"));
  }

  @Test
  @DisplayName("is kept whole, members nobody knows included")
  void keptWhole() {
    Json.Obj body = chatWith("'x':{'y':[1]}");
    assertThat(good(body).members()).isSameAs(body);
    assertThat(good(chatOf("{'role':'user','content':'hi'}")).messages().get(0).source())
        .isNotNull();
  }
}
