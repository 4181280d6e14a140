package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A request in the dialect of its upstream")
class OwnReasoningTest {
  private static final Reasoning OPTIONAL = new Reasoning(false, List.of("low", "high"), false);
  private static final Reasoning MANDATORY = new Reasoning(true, List.of("low", "high"), true);

  private final List<Loss> lost = new ArrayList<>();

  private String sent(String members, Reasoning model, Endpoint endpoint) {
    return sent(
        ChatFixtures.request("{'messages':[{'role':'user','content':'hi'}]," + members + "}"),
        model,
        endpoint);
  }

  private String sent(InferenceRequest request, Reasoning model, Endpoint endpoint) {
    lost.clear();
    var call =
        new Call(
            endpoint,
            Credential.NONE,
            request,
            0,
            null,
            Duration.ofSeconds(1),
            model,
            lost::add,
            new Cancellation());
    return ChatFixtures.written(call);
  }

  private static String member(String body, String name) {
    Json value = ChatFixtures.parsed(body).get(name);
    return value == null
        ? "absent"
        : new String(value.toBytes(), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @ParameterizedTest(name = "{0} is sent as {1}")
  @DisplayName("keeps the bytes of reasoning options that the model supports")
  @CsvSource(
      delimiter = '|',
      value = {
        "{ 'effort' : 'high' , 'x':1 }|{ 'effort' : 'high' , 'x':1 }",
        "{'max_tokens': 0}|{'max_tokens': 0}",
        "{'effort':'none'}|{'effort':'none'}",
        "{'effort':'max','exclude':true}|{'effort':'high','exclude':true}",
        "{'effort':'medium'}|{'effort':'low'}"
      })
  void supported(String given, String expected) {
    String body = sent("'reasoning':" + given, OPTIONAL, ChatFixtures.endpoint());
    assertThat(member(body, "reasoning")).isEqualTo(expected);
    assertThat(lost).hasSize(given.equals(expected) ? 0 : 1);
  }

  @ParameterizedTest(name = "{0} is sent as {1}")
  @DisplayName("asks for the least effort when it turns off reasoning that is mandatory")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'effort':'none'}|{'effort':'low'}",
        "{'enabled':false}|{'effort':'low'}",
        "{'max_tokens':0}|{'effort':'low'}",
        "{'max_tokens':0,'effort':'high'}|{'effort':'high'}",
        "{'max_tokens':2000}|{'max_tokens':2000}"
      })
  void mandatory(String given, String expected) {
    String body = sent("'reasoning':" + given, MANDATORY, ChatFixtures.endpoint());
    assertThat(member(body, "reasoning")).isEqualTo(expected);
  }

  @Test
  @DisplayName("has the effort under the name that the endpoint supports")
  void names() {
    Endpoint level = ChatFixtures.supporting(Parameter.REASONING_EFFORT.bit());
    Endpoint object = ChatFixtures.supporting(Parameter.REASONING.bit());
    String body = sent("'reasoning':{'effort':'max'}", OPTIONAL, level);
    assertThat(member(body, "reasoning_effort")).isEqualTo("'high'");
    assertThat(member(body, "reasoning")).isEqualTo("absent");
    body = sent("'reasoning_effort':'high'", OPTIONAL, object);
    assertThat(member(body, "reasoning")).isEqualTo("{'effort':'high'}");
    assertThat(member(body, "reasoning_effort")).isEqualTo("absent");
    body = sent("'reasoning':{'exclude':true},'reasoning_effort':'high'", OPTIONAL, object);
    assertThat(member(body, "reasoning")).isEqualTo("{'exclude':true,'effort':'high'}");
    body =
        sent(
            "'reasoning_effort':'high','include_reasoning':true",
            OPTIONAL,
            ChatFixtures.supporting(0));
    assertThat(body).doesNotContain("reasoning");
  }

  @ParameterizedTest(name = "{0} is sent as {1}")
  @DisplayName("has only the effort, as the vendor defines it, if the endpoint supports both")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'reasoning':{'effort':'max','exclude':true}|'high'",
        "'reasoning':{'max_tokens':2000}|'low'",
        "'reasoning_effort':'high'|'high'",
        "'reasoning_effort':'high','reasoning':{'exclude':true}|'high'",
        "'reasoning':{'effort':'high'},'reasoning_effort':'high'|'high'",
        "'reasoning_effort':null,'reasoning':{'effort':'high'}|'high'",
        "'reasoning':{'effort':'high'},'reasoning_effort':null|'high'",
        "'include_reasoning':false|absent",
        "'reasoning':{}|absent"
      })
  void both(String given, String expected) {
    Endpoint both =
        ChatFixtures.supporting(
            Parameter.mask(List.of(Parameter.REASONING, Parameter.REASONING_EFFORT)));
    String body = sent(given, OPTIONAL, both);
    assertThat(member(body, "reasoning_effort")).isEqualTo(expected);
    assertThat(ChatFixtures.parsed(body).has("reasoning")).isFalse();
    assertThat(body).doesNotContain("include_reasoning");
  }

  @Test
  @DisplayName("has a number of tokens in the object if the model accepts one")
  void budget() {
    Endpoint both =
        ChatFixtures.supporting(
            Parameter.mask(List.of(Parameter.REASONING, Parameter.REASONING_EFFORT)));
    String body = sent("'reasoning':{'max_tokens':2000}", MANDATORY, both);
    assertThat(member(body, "reasoning")).isEqualTo("{'max_tokens':2000}");
    assertThat(ChatFixtures.parsed(body).has("reasoning_effort")).isFalse();
    assertThat(lost).isEmpty();
  }

  @ParameterizedTest(name = "{0} is sent as {1}")
  @DisplayName("says whether to return the reasoning in the form that the endpoint supports")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'include_reasoning':false|{'exclude':true}",
        "'include_reasoning':true|{}",
        "'include_reasoning':false,'reasoning_effort':'high'|{'effort':'high','exclude':true}",
        "'reasoning_effort':'high','include_reasoning':true|{'effort':'high'}",
        "'include_reasoning':false,'reasoning':{'effort':'high'}|{'effort':'high','exclude':true}",
        "'reasoning':{'exclude':false},'include_reasoning':false|{'exclude':false}"
      })
  void included(String given, String expected) {
    String body = sent(given, OPTIONAL, ChatFixtures.supporting(Parameter.REASONING.bit()));
    assertThat(member(body, "reasoning")).isEqualTo(expected);
    assertThat(body).doesNotContain("include_reasoning", "reasoning_effort");
    assertThat(lost).isEmpty();
    assertThat(sent(given, OPTIONAL, ChatFixtures.endpoint())).contains("include_reasoning");
  }

  @Proves("translation.fate.dropped")
  @Test
  @DisplayName("reports as lost what the endpoint has no parameter for")
  void unsupported() {
    String body =
        sent(
            "'seed':1,'top_p':null,'reasoning_effort':'low','include_reasoning':true,'x':1,"
                + "'tools':[{'type':'function','function':{'name':'f'}}]",
            OPTIONAL,
            ChatFixtures.supporting(0));
    assertThat(body).doesNotContain("seed").contains("\"x\":1");
    assertThat(lost.stream().map(Loss::subject))
        .containsExactlyInAnyOrder("seed", "reasoning_effort", "include_reasoning", "tools");
    sent("'reasoning':{'effort':'low'}", OPTIONAL, ChatFixtures.supporting(0));
    assertThat(lost.getLast().subject()).isEqualTo("reasoning");
  }

  @Test
  @DisplayName("keeps its tools, with the choice none, when it may not call any")
  void noTools() {
    String tools = "'tools':[{'type':'function','function':{'name':'f'}}]";
    for (String choice : List.of("", ",'tool_choice':'required'")) {
      InferenceRequest request =
          ChatFixtures.request(
              "{'messages':[{'role':'user','content':'hi'}]," + tools + choice + "}");
      String body =
          sent(request.toBuilder().mayCallTools(false).build(), OPTIONAL, ChatFixtures.endpoint());
      assertThat(member(body, "tool_choice")).isEqualTo("'none'");
      assertThat(member(body, "tools")).contains("'f'");
    }
    InferenceRequest none = ChatFixtures.request("{'messages':[{'role':'user','content':'hi'}]}");
    assertThat(
            sent(none.toBuilder().mayCallTools(false).build(), OPTIONAL, ChatFixtures.endpoint()))
        .doesNotContain("tool_choice");
  }

  @Test
  @DisplayName("Case 22: has no empty list of tool calls, and keeps the text beside it")
  void emptyCalls() {
    String message = "{'role':'assistant','content':'x','tool_calls':[]}";
    InferenceRequest request = ChatFixtures.request("{'messages':[" + message + "]}");
    assertThat(member(sent(request, OPTIONAL, ChatFixtures.endpoint()), "messages"))
        .isEqualTo("[{'role':'assistant','content':'x'}]");
  }
}
