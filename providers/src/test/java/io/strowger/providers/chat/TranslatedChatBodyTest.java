package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo.Reasoning;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The chat body of a request in another dialect")
class TranslatedChatBodyTest {
  private static final String HI = "'messages':[{'role':'user','content':'hi'}]";
  private static final String TOOL = "{'name':'f','input_schema':{'type':'object'}}";

  private final List<Loss> lost = new ArrayList<>();
  private Reasoning reasoning = Reasoning.NONE;
  private Endpoint endpoint = ChatFixtures.endpoint();

  private static InferenceRequest messages(String members) {
    var problems = new Problems();
    return problems.requireValid(
        new MessagesDecoder((entries, at, found) -> {})
            .decode(
                ChatFixtures.json("{'model':'m','max_tokens':2000," + members + "}"), problems));
  }

  private static InferenceRequest responses(String members) {
    var problems = new Problems();
    return problems.requireValid(
        new ResponsesDecoder((entries, at, found) -> {})
            .decode(ChatFixtures.json("{'model':'m'," + members + "}"), problems));
  }

  private Json.Obj body(InferenceRequest request) {
    return body(request, null);
  }

  private Json.Obj body(InferenceRequest request, @Nullable String user) {
    lost.clear();
    var call =
        new Call(
            endpoint,
            Credential.NONE,
            request,
            0,
            user,
            Duration.ofSeconds(1),
            reasoning,
            lost::add,
            new Cancellation());
    return ChatFixtures.parsed(ChatFixtures.written(call));
  }

  /** A member of the body, with single quotes for double ones. */
  private static String member(Json.Obj body, String name) {
    Json value = body.get(name);
    return value == null
        ? "absent"
        : new String(value.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  private String sentMessages(InferenceRequest request) {
    return member(body(request), "messages");
  }

  private List<String> lost() {
    return lost.stream().map(Loss::subject).toList();
  }

  @Proves({"translation.request.system", "translation.request.cache"})
  @Test
  @DisplayName("has system texts first, with their cache marks, and later ones at their places")
  void system() {
    assertThat(sentMessages(messages("'system':'be kind'," + HI)))
        .isEqualTo("[{'role':'system','content':'be kind'},{'role':'user','content':'hi'}]");
    assertThat(
            sentMessages(
                messages(
                    "'system':[{'type':'text','text':'a','cache_control':{'type':'ephemeral'}},"
                        + "{'type':'text','text':'b'}],"
                        + HI)))
        .startsWith(
            "[{'role':'system','content':[{'type':'text','text':'a',"
                + "'cache_control':{'type':'ephemeral'}},{'type':'text','text':'b'}]}");
    assertThat(lost).isEmpty();
    assertThat(
            sentMessages(
                responses(
                    "'instructions':'one','input':[{'role':'user','content':'hi'},"
                        + "{'role':'developer','content':'two'}]")))
        .isEqualTo(
            "[{'role':'system','content':'one'},{'role':'user','content':'hi'},"
                + "{'role':'system','content':'two'}]");
  }

  @Test
  @DisplayName("keeps the cache marks of tools, without their ttl")
  void marksOnTools() {
    Json.Obj body =
        body(
            messages(
                "'tools':[{'name':'f','input_schema':{'type':'object'}},{'name':'g',"
                    + "'input_schema':{'type':'object'},'cache_control':{'type':'ephemeral',"
                    + "'ttl':'1h'}}],"
                    + HI));
    assertThat(String.valueOf(body.list("tools")).replace('"', '\''))
        .isEqualTo(
            "[{'type':'function','function':{'name':'f','parameters':{'type':'object'}}},"
                + "{'type':'function','function':{'name':'g','parameters':{'type':'object'}},"
                + "'cache_control':{'type':'ephemeral'}}]");
    assertThat(lost()).containsExactly("cache_control.ttl");
  }

  @Proves({"translation.request.result", "translation.case.1"})
  @Test
  @DisplayName("Case 1: has a tool message for each result, right after the calls")
  void toolResults() {
    InferenceRequest request =
        messages(
            "'messages':[{'role':'user','content':'hi'},{'role':'assistant','content':["
                + "{'type':'text','text':'wait'},"
                + "{'type':'tool_use','id':'a','name':'f','input':{'x':1}},"
                + "{'type':'tool_use','id':'b','name':'f','input':{}}]},"
                + "{'role':'user','content':[{'type':'text','text':'so?'},"
                + "{'type':'tool_result','tool_use_id':'b','content':'2','is_error':true},"
                + "{'type':'tool_result','tool_use_id':'a','content':[{'type':'text','text':'1'},"
                + "{'type':'image','source':{'type':'base64','media_type':'image/png',"
                + "'data':'QQ=='}}]}]}]");
    Json.Obj body = body(request);
    Json.Arr sent = Objects.requireNonNull(body.list("messages"));
    assertThat(sent.get(1).toString().replace('"', '\''))
        .isEqualTo(
            "{'role':'assistant','content':'wait','tool_calls':[{'id':'a','type':'function',"
                + "'function':{'name':'f','arguments':'{\\'x\\':1}'}},{'id':'b',"
                + "'type':'function','function':{'name':'f','arguments':'{}'}}]}");
    assertThat(sent.get(2).toString().replace('"', '\''))
        .isEqualTo("{'role':'tool','tool_call_id':'a','content':'1'}");
    assertThat(sent.get(3).toString().replace('"', '\''))
        .isEqualTo("{'role':'tool','tool_call_id':'b','content':'2'}");
    assertThat(sent.get(4).toString().replace('"', '\''))
        .isEqualTo(
            "{'role':'user','content':[{'type':'image_url','image_url':"
                + "{'url':'data:image/png;base64,QQ=='}},{'type':'text','text':'so?'}]}");
    assertThat(lost()).containsExactly("a part of a tool's result", "is_error");
  }

  @Test
  @DisplayName("Case 19: has an empty object as the arguments of a call without arguments")
  void zeroArguments() {
    assertThat(
            sentMessages(
                responses(
                    "'input':[{'type':'function_call','call_id':'a','name':'f','arguments':''},"
                        + "{'type':'function_call_output','call_id':'a','output':'1'}]")))
        .contains("'arguments':'{}'");
  }

  @Test
  @DisplayName("has images, audio, videos and documents in the form of the chat dialect")
  void media() {
    String sent =
        sentMessages(
            responses(
                "'input':[{'role':'user','content':["
                    + "{'type':'input_image','image_url':'https://x.test/i','detail':'low'},"
                    + "{'type':'input_audio','input_audio':{'data':'QQ==','format':'wav'}},"
                    + "{'type':'input_video','video_url':'https://x.test/v'},"
                    + "{'type':'input_file','file_url':'https://x.test/d.pdf'},"
                    + "{'type':'input_file','file_id':'file-1'},"
                    + "{'type':'input_image','file_id':'file-2'}]}]"));
    assertThat(sent)
        .isEqualTo(
            "[{'role':'user','content':["
                + "{'type':'image_url','image_url':{'url':'https://x.test/i','detail':'low'}},"
                + "{'type':'input_audio','input_audio':{'data':'QQ==','format':'wav'}},"
                + "{'type':'video_url','video_url':{'url':'https://x.test/v'}},"
                + "{'type':'file','file':{'file_data':'https://x.test/d.pdf'}},"
                + "{'type':'file','file':{'file_id':'file-1'}}]}]");
    assertThat(lost()).containsExactly("an image");
    assertThat(
            sentMessages(
                messages(
                    "'messages':[{'role':'user','content':[{'type':'document','title':'t',"
                        + "'source':{'type':'base64','media_type':'application/pdf',"
                        + "'data':'QQ=='}},{'type':'document','title':'t','source':"
                        + "{'type':'text','media_type':'text/plain','data':'body'}}]}]")))
        .isEqualTo(
            "[{'role':'user','content':[{'type':'file','file':{'filename':'t',"
                + "'file_data':'data:application/pdf;base64,QQ=='}},"
                + "{'type':'text','text':'t\\n\\nbody'}]}]");
    assertThat(lost()).containsExactly("a document");
  }

  @Proves("translation.request.tool")
  @Test
  @DisplayName("has tools as functions, and their choice; without support for tools it has neither")
  void tools() {
    Json.Obj body =
        body(
            messages(
                HI
                    + ",'tools':["
                    + TOOL
                    + "],'tool_choice':{'type':'tool','name':'f',"
                    + "'disable_parallel_tool_use':true}"));
    assertThat(member(body, "tools"))
        .isEqualTo("[{'type':'function','function':{'name':'f','parameters':{'type':'object'}}}]");
    assertThat(member(body, "tool_choice"))
        .isEqualTo("{'type':'function','function':{'name':'f'}}");
    assertThat(member(body, "parallel_tool_calls")).isEqualTo("false");
    body = body(messages(HI + ",'tools':[" + TOOL + "],'tool_choice':{'type':'any'}"));
    assertThat(member(body, "tool_choice")).isEqualTo("'required'");
    body = body(messages(HI + ",'tools':[" + TOOL + "]").toBuilder().mayCallTools(false).build());
    assertThat(member(body, "tool_choice")).isEqualTo("'none'");
    endpoint = ChatFixtures.supporting(0);
    body = body(messages(HI + ",'tools':[" + TOOL + "]"));
    assertThat(member(body, "tools")).isEqualTo("absent");
    assertThat(lost()).contains("tools");
  }

  @Test
  @DisplayName("asks for the usage of a stream, and names the limit as the endpoint does")
  void stream() {
    endpoint = ChatFixtures.supporting(Parameter.MAX_COMPLETION_TOKENS.bit());
    Json.Obj body = body(messages(HI + ",'stream':true"), ChatFixtures.HASH);
    assertThat(member(body, "model")).isEqualTo("'" + ChatFixtures.UPSTREAM_MODEL + "'");
    assertThat(member(body, "stream")).isEqualTo("true");
    assertThat(member(body, "stream_options")).isEqualTo("{'include_usage':true}");
    assertThat(member(body, "max_completion_tokens")).isEqualTo("2000");
    assertThat(body.has("max_tokens")).isFalse();
    assertThat(member(body, "user")).isEqualTo("'" + ChatFixtures.HASH + "'");
  }

  @Proves("routing.parameters.drop")
  @Test
  @DisplayName("has at most four stop sequences, and no parameter that the endpoint lacks")
  void parameters() {
    InferenceRequest request =
        messages(
            HI
                + ",'temperature':0.5,'top_k':3,'stop_sequences':['a','b','c','d','e'],"
                + "'metadata':{'user_id':'raw'}");
    Json.Obj body = body(request);
    assertThat(member(body, "stop")).isEqualTo("['a','b','c','d']");
    assertThat(member(body, "temperature")).isEqualTo("0.5");
    assertThat(member(body, "top_k")).isEqualTo("3");
    assertThat(body.toString()).doesNotContain("raw");
    assertThat(lost()).containsExactly("stop");
    endpoint = ChatFixtures.supporting(Parameter.STOP.bit());
    assertThat(body(request).has("top_k")).isFalse();
    assertThat(lost()).contains("temperature", "top_k");
  }

  @Test
  @DisplayName("has a named schema, and verbosity and metadata of the responses dialect")
  void formats() {
    Json.Obj body =
        body(
            responses(
                "'input':'hi','text':{'format':{'type':'json_schema','name':'n',"
                    + "'schema':{'type':'object'},'strict':true},'verbosity':'low'},"
                    + "'metadata':{'k':'v'},'truncation':'auto'"));
    assertThat(member(body, "response_format"))
        .isEqualTo(
            "{'type':'json_schema','json_schema':{'name':'n','schema':{'type':'object'},"
                + "'strict':true}}");
    assertThat(member(body, "verbosity")).isEqualTo("'low'");
    assertThat(member(body, "metadata")).isEqualTo("{'k':'v'}");
    assertThat(lost()).containsExactly("truncation");
    body =
        body(messages(HI + ",'output_config':{'format':{'type':'json_schema','schema':{'a':1}}}"));
    assertThat(member(body, "response_format"))
        .isEqualTo("{'type':'json_schema','json_schema':{'name':'answer','schema':{'a':1}}}");
  }

  @Test
  @DisplayName("has reasoning options in a form that the endpoint and the model support")
  void reasoning() {
    String budget = HI + ",'thinking':{'type':'enabled','budget_tokens':1500}";
    assertThat(member(body(messages(budget)), "reasoning")).isEqualTo("{'max_tokens':1500}");
    reasoning = new Reasoning(false, List.of("low", "high"), false);
    assertThat(member(body(messages(budget)), "reasoning")).isEqualTo("{'effort':'high'}");
    assertThat(lost()).containsExactly("reasoning.max_tokens");
    endpoint = ChatFixtures.supporting(Parameter.REASONING_EFFORT.bit());
    InferenceRequest medium = responses("'input':'hi','reasoning':{'effort':'medium'}");
    assertThat(member(body(medium), "reasoning_effort")).isEqualTo("'low'");
    assertThat(lost()).containsExactly("reasoning.effort");
    reasoning = new Reasoning(true, List.of("low", "high"), false);
    InferenceRequest off = messages(HI + ",'thinking':{'type':'disabled'}");
    assertThat(member(body(off), "reasoning_effort")).isEqualTo("'low'");
    reasoning = Reasoning.NONE;
    assertThat(member(body(off), "reasoning_effort")).isEqualTo("'none'");
    endpoint =
        ChatFixtures.supporting(
            Parameter.mask(List.of(Parameter.REASONING, Parameter.REASONING_EFFORT)));
    assertThat(member(body(medium), "reasoning_effort")).isEqualTo("'medium'");
    assertThat(body(medium).has("reasoning")).isFalse();
    endpoint = ChatFixtures.supporting(0);
    assertThat(body(medium).has("reasoning_effort")).isFalse();
    assertThat(lost()).contains("reasoning");
    assertThat(member(body(messages(HI)), "reasoning")).isEqualTo("absent");
  }

  @Test
  @DisplayName("keeps the wanted summary of reasoning, also without other options")
  void shown() {
    InferenceRequest summary = responses("'input':'hi','reasoning':{'summary':'concise'}");
    assertThat(member(body(summary), "reasoning")).isEqualTo("{'summary':'concise'}");
    endpoint = ChatFixtures.supporting(Parameter.REASONING_EFFORT.bit());
    assertThat(body(summary).has("reasoning_effort")).isFalse();
    assertThat(lost()).containsExactly("reasoning");
    InferenceRequest both =
        responses("'input':'hi','reasoning':{'effort':'low','summary':'concise'}");
    assertThat(member(body(both), "reasoning_effort")).isEqualTo("'low'");
    assertThat(lost()).containsExactly("reasoning.summary");
  }

  @Proves("translation.request.user")
  @Test
  @DisplayName("names the end user by a hash wherever the caller named one, and never in plain")
  void user() {
    InferenceRequest named =
        responses(
            "'input':'hi','metadata':{'user_id':'alice','k':'v'},'safety_identifier':'alice'");
    Json.Obj body = body(named, "h1");
    assertThat(member(body, "metadata")).isEqualTo("{'user_id':'h1','k':'v'}");
    assertThat(member(body, "user")).isEqualTo("'h1'");
    assertThat(body.toString()).doesNotContain("alice");
    assertThat(lost).isEmpty();
    assertThat(member(body(named), "metadata")).isEqualTo("{'k':'v'}");
  }

  @Test
  @DisplayName("drops cache times and unknown members of tools, and reports them as lost")
  void strictUpstreams() {
    String text = "{'type':'text','text':'a','cache_control':{'type':'ephemeral','ttl':'1h'}}";
    assertThat(sentMessages(messages("'system':[" + text + "]," + HI)))
        .contains("'cache_control':{'type':'ephemeral'}}");
    assertThat(lost()).containsExactly("cache_control.ttl");
    String tool = "{'name':'f','input_schema':{'type':'object'},'defer_loading':true}";
    assertThat(member(body(messages(HI + ",'tools':[" + tool + "]")), "tools"))
        .doesNotContain("defer");
    assertThat(lost()).containsExactly("tools.defer_loading");
  }

  @Test
  @DisplayName("returns no thoughts, and reports them as lost")
  void thoughts() {
    assertThat(
            sentMessages(
                messages(
                    "'messages':[{'role':'assistant','content':[{'type':'thinking',"
                        + "'thinking':'t','signature':'s'},{'type':'text','text':'x'}]}]")))
        .isEqualTo("[{'role':'assistant','content':'x'}]");
    assertThat(lost()).containsExactly("reasoning");
  }
}
