package io.strowger.core.dialect.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.core.decode.TestRules;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A messages body")
class MessagesDecoderTest {
  private static final MessagesDecoder DECODER = new MessagesDecoder((entries, at, problems) -> {});
  private static final String REQUIRED_MEMBERS =
      "'model':'a/b','messages':[{'role':'user','content':'hi'}]";

  private static Json.Obj body(String more) {
    return (Json.Obj)
        TestJson.of("{" + REQUIRED_MEMBERS + (more.isEmpty() ? "" : "," + more) + "}");
  }

  private static List<String> problems(Json.Obj body) {
    var problems = new Problems();
    DECODER.decode(body, problems);
    return TestRules.problemTexts(problems);
  }

  private static List<String> problems(String more) {
    return problems(body(more));
  }

  private static InferenceRequest decode(String more) {
    var problems = new Problems();
    return problems.requireValid(DECODER.decode(body(more), problems));
  }

  private static long bits(Parameter... parameters) {
    return Parameter.mask(List.of(parameters));
  }

  @Proves({
    "operation.messages.body",
    "operation.messages.cache_control",
    "operation.messages.plugins",
    "operation.messages.provider",
    "operation.messages.route",
    "operation.messages.session_id",
    "operation.messages.speed",
    "operation.messages.stop_server_tools_when",
    "operation.messages.fallbacks",
    "operation.messages.output_config",
    "operation.messages.trace",
    "operation.messages.user",
    "limit.fallbacks",
    "messages.name.fallbacks",
    "messages.name.speed",
    "messages.name.stop_server_tools_when",
    "messages.name.output_config",
    "messages.name.trace",
    "messages.member.model",
    "messages.member.messages",
    "messages.member.max_tokens",
    "messages.member.system",
    "messages.member.models",
    "messages.member.stop_sequences",
    "messages.member.sampling",
    "messages.member.stream",
    "messages.member.thinking",
    "messages.member.tool_choice",
    "messages.member.tools",
    "messages.member.metadata",
    "messages.member.cache_control",
    "messages.member.context_management",
    "messages.member.plugins",
    "messages.block.role",
    "messages.block.text",
    "messages.block.image",
    "messages.block.document",
    "messages.block.tool_use",
    "messages.block.tool_result",
    "messages.block.thinking",
    "messages.block.redacted_thinking",
    "messages.block.server_tool_use",
    "messages.block.web_search_tool_result",
    "messages.block.search_result",
    "messages.block.compaction",
    "messages.block.advisor_tool_result",
    "messages.block.tool_addition",
    "messages.block.tool.custom",
    "messages.block.tool.bash",
    "messages.block.tool.web_search",
    "messages.block.tool.advisor",
    "messages.block.tool.search",
    "answers.messages-names"
  })
  @TestFactory
  @DisplayName("is refused when it breaks one rule:")
  Stream<DynamicTest> mutations() {
    return MessagesMutations.all().stream()
        .map(
            (Mutation mutation) ->
                DynamicTest.dynamicTest(
                    mutation.at() + " " + mutation.allowed() + ": " + mutation.value(),
                    () ->
                        assertThat(problems(mutation.of(body(""))))
                            .singleElement()
                            .asString()
                            .startsWith(mutation.at() + ": " + mutation.allowed())));
  }

  @Proves({
    "messages.member.model",
    "messages.member.messages",
    "messages.block.tool.custom",
    "messages.block.tool.bash"
  })
  @Test
  @DisplayName(
      "is refused with all problems at once, each with its pointer, the allowed and the given "
          + "value")
  void all() {
    assertThat(
            problems(
                (Json.Obj)
                    TestJson.of(
                        "{'messages':[{'role':'user','content':[{'type':'text'},{'type':'image',"
                            + "'source':{'type':'tape'}}]},{'role':'robot'}],'max_tokens':0,"
                            + "'tools':[{'name':'f'},{'type':'bash_20250124','name':'zsh'}]}")))
        .containsExactly(
            "/messages/0/content/0/text: is required",
            "/messages/0/content/1/source/type: must be one of base64, url, was \"tape\"",
            "/messages/1/role: must be one of user, assistant, system, was \"robot\"",
            "/max_tokens: must be a whole number from 1 to 2147483647, was 0",
            "/tools/0/input_schema: is required",
            "/tools/1/name: must be bash, was \"zsh\"",
            "/model: is required");
  }

  @Nested
  @DisplayName("with only the required members")
  class Defaults {
    @Test
    @DisplayName("asks one model for an answer of any length that is not streamed")
    void defaults() {
      InferenceRequest request = decode("");
      assertThat(request.models()).singleElement().hasToString("a/b");
      assertThat(request.messages()).hasSize(1);
      assertThat(request.instructions()).isNull();
      assertThat(request.tools()).isEmpty();
      assertThat(request.plugins()).isEmpty();
      assertThat(request.streaming()).isFalse();
      assertThat(request.maxOutputTokens()).isZero();
      assertThat(request.parameterMask()).isZero();
      assertThat(request.sessionId()).isNull();
      assertThat(request.user()).isNull();
    }

    @Test
    @DisplayName("keeps unknown members if there are any, also an explicit null")
    void unknown() {
      assertThat(decode("'logprobs':null,'later':{'x':[1.50]}").members())
          .isEqualTo(body("'logprobs':null,'later':{'x':[1.50]}"));
    }
  }

  @Nested
  @DisplayName("at its bounds")
  class Bounds {
    @Proves({
      "limit.fallbacks",
      "messages.name.speed",
      "messages.name.output_config",
      "messages.member.system",
      "messages.member.stop_sequences",
      "messages.member.metadata",
      "messages.member.service_tier",
      "open.11"
    })
    @ParameterizedTest(name = "may have {0}")
    @ValueSource(
        strings = {
          "'max_tokens':1",
          "'max_tokens':2147483647",
          "'max_tool_calls':1",
          "'max_tool_calls':31",
          "'max_tool_calls':null",
          "'temperature':0",
          "'temperature':1",
          "'temperature':1.00",
          "'top_p':1.5",
          "'top_k':-1",
          "'stop_sequences':['','a','b','c','d','e']",
          "'thinking':{'type':'enabled','budget_tokens':1024}",
          "'thinking':{'type':'enabled','budget_tokens':1024},'max_tokens':1025",
          "'thinking':{'type':'disabled','budget_tokens':7},'max_tokens':5",
          "'output_config':{'task_budget':{'type':'tokens','total':20000,'remaining':0}}",
          "'fallbacks':[{'model':'a'},{'model':'b'},{'model':'c'}]",
          "'fallbacks':null,'models':['c']",
          "'fallbacks':[]",
          "'models':[]",
          "'context_management':null",
          "'provider':null",
          "'route':null",
          "'speed':null",
          "'tools':[]",
          "'plugins':[]",
          "'system':''",
          "'system':[]",
          "'service_tier':'whatever'",
          "'metadata':{'user_id':null}",
          "'tool_choice':{'type':'tool','name':'f','disable_parallel_tool_use':false}",
          "'tool_choice':{'type':'none'}"
        })
    void accepted(String member) {
      assertThat(problems(member)).isEmpty();
    }

    @Proves({
      "operation.messages.session_id",
      "operation.messages.user",
      "limit.session_id",
      "limit.user",
      "messages.member.user",
      "open.12"
    })
    @Test
    @DisplayName("is measured in characters, not in bytes or UTF-16 units")
    void characters() {
      String longest = "\uD83D\uDE00".repeat(256);
      assertThat(decode("'session_id':'" + longest + "'").sessionId()).isEqualTo(longest);
      assertThat(decode("'user':'" + longest + "'").user()).isEqualTo(longest);
      assertThat(problems("'user':'" + longest + "x'"))
          .singleElement()
          .asString()
          .startsWith("/user: must be a string of at most 256 characters, was \"");
    }
  }

  @Nested
  @DisplayName("whose members depend on each other")
  class Dependencies {
    @Proves("messages.member.thinking")
    @Test
    @DisplayName("must have a thinking budget below max_tokens, whichever of them comes first")
    void thinking() {
      String enabled = "'thinking':{'type':'enabled','budget_tokens':2000}";
      String wrong =
          "/thinking/budget_tokens: must be less than max_tokens, which is 2000, was 2000";
      assertThat(problems("'max_tokens':2000," + enabled)).containsExactly(wrong);
      assertThat(problems(enabled + ",'max_tokens':2000")).containsExactly(wrong);
      assertThat(problems(enabled + ",'max_tokens':2001")).isEmpty();
      assertThat(problems("'max_tokens':500,'thinking':{'type':'enabled','budget_tokens':1023}"))
          .containsExactly(
              "/thinking/budget_tokens: must be a whole number of at least 1024, was 1023");
      assertThat(problems("'max_tokens':0," + enabled)).hasSize(1);
    }

    @Proves({
      "operation.messages.fallbacks",
      "routing.fallback.fallbacks",
      "messages.name.fallbacks"
    })
    @Test
    @DisplayName("may have fallbacks or models, not both")
    void oneList() {
      String wrong = "/fallbacks: must not be given together with models, was an array of 1";
      assertThat(problems("'models':['b'],'fallbacks':[{'model':'c'}]")).containsExactly(wrong);
      assertThat(problems("'fallbacks':[{'model':'c'}],'models':[]")).containsExactly(wrong);
      assertThat(problems("'fallbacks':[{'model':'c','x':1}],'models':['b']"))
          .containsExactly(
              "/fallbacks/0/x: is not allowed here: a fallback has the member model only, was 1");
    }

    @Test
    @DisplayName("must leave the choice of tools to a model that searches for its tools")
    void toolSearch() {
      String tools = "'tools':[{'type':'router:tool_search'}],";
      assertThat(problems(tools + "'tool_choice':{'type':'auto'}")).isEmpty();
      assertThat(problems(tools + "'tool_choice':{'type':'any'}"))
          .singleElement()
          .asString()
          .startsWith("/tool_choice: ");
    }
  }

  @Nested
  @DisplayName("becomes a request")
  class DecodedRequest {
    @Proves({"routing.candidates.1", "messages.member.models"})
    @Test
    @DisplayName("for its model first and then its fallbacks, each once")
    void models() {
      assertThat(decode("'models':['c:free','a/b','d']").models())
          .map(Object::toString)
          .containsExactly("a/b", "c:free", "d");
      assertThat(decode("'fallbacks':[{'model':'c'},{'model':'a/b'}]").models())
          .map(Object::toString)
          .containsExactly("a/b", "c");
    }

    @Test
    @DisplayName("that tells which parameters it uses")
    void parameters() {
      assertThat(decode("'temperature':1,'top_p':1,'top_k':1,'stop_sequences':[]").parameterMask())
          .isEqualTo(bits(Parameter.TEMPERATURE, Parameter.TOP_P, Parameter.TOP_K, Parameter.STOP));
      assertThat(decode("'max_tokens':5").parameterMask()).isEqualTo(bits(Parameter.MAX_TOKENS));
      assertThat(decode("'max_tokens':5").maxOutputTokens()).isEqualTo(5);
      assertThat(decode("'thinking':{'type':'adaptive'}").parameterMask())
          .isEqualTo(bits(Parameter.REASONING));
      assertThat(decode("'tools':[{'type':'bash_20250124','name':'bash'}]").parameterMask())
          .isEqualTo(bits(Parameter.TOOLS));
      assertThat(decode("'tools':[]").parameterMask()).isZero();
      assertThat(decode("'tool_choice':{'type':'any'}").parameterMask())
          .isEqualTo(bits(Parameter.TOOL_CHOICE));
      assertThat(
              decode("'tool_choice':{'type':'any','disable_parallel_tool_use':true}")
                  .parameterMask())
          .isEqualTo(bits(Parameter.TOOL_CHOICE, Parameter.PARALLEL_TOOL_CALLS));
      assertThat(decode("'output_config':{'effort':null,'format':null}").parameterMask()).isZero();
      assertThat(
              decode("'output_config':{'effort':'low','format':{'type':'json_schema','schema':{}}}")
                  .parameterMask())
          .isEqualTo(bits(Parameter.REASONING_EFFORT, Parameter.STRUCTURED_OUTPUTS));
    }

    @Proves({
      "operation.messages.plugins",
      "operation.messages.provider",
      "messages.member.plugins"
    })
    @Test
    @DisplayName("with its preferences and plugins")
    void preferencesAndPlugins() {
      InferenceRequest request =
          decode(
              "'provider':{'order':['x']},'plugins':[{'id':'web','enabled':false}],'stream':true");
      assertThat(request.preferences().order()).containsExactly("x");
      assertThat(request.plugins()).singleElement().matches(entry -> !entry.enabled());
      assertThat(request.streaming()).isTrue();
    }
  }
}
