package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.ResponsesRequestBodies.body;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.decode;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.each;
import static io.strowger.core.dialect.responses.ResponsesRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.TestJson;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A responses body")
class ResponsesDecoderTest {
  @Proves("responses.member.input")
  @Test
  @DisplayName("needs an input, and nothing else")
  void inputOnly() {
    InferenceRequest request = decode(body(""));
    assertThat(request.dialect()).isEqualTo(Dialect.RESPONSES);
    assertThat(request.models()).isEmpty();
    assertThat(request.instructions()).isNull();
    assertThat(request.parameterMask()).isZero();
    assertThat(request.streaming()).isFalse();
    assertThat(problems((Json.Obj) TestJson.of("{}"))).containsExactly("/input: is required");
  }

  @Test
  @DisplayName("is refused with everything that is wrong with it at once")
  void allAtOnce() {
    assertThat(
            problems(
                (Json.Obj)
                    TestJson.of(
                        "{'store':true,'temperature':2.5,'input':[{'role':'user'},"
                            + "{'type':'function_call','call_id':1}],'tools':[{'type':'function'}],"
                            + "'provider':{'nope':1},'plugins':[{'id':'nobody'}]}")))
        .containsExactly(
            "/store: must be false: no response is stored, was true",
            "/temperature: must be a number from 0 to 2, was 2.5",
            "/input/0/content: is required",
            "/input/1/call_id: must be a string, was 1",
            "/input/1/name: is required",
            "/input/1/arguments: is required",
            "/tools/0/name: is required",
            "/tools/0/parameters: is required",
            "/provider/nope: is not a member of provider, was 1",
            "/plugins/0/id: must be known");
  }

  @Test
  @DisplayName("accepts and keeps unknown members")
  void unknown() {
    Json.Obj body = body("'conversation':null,'max_tokens':'x','tomorrow':{'a':[1]}");
    assertThat(decode(body).members()).isSameAs(body);
  }

  @Nested
  @DisplayName("in its members about stored responses")
  class Stateless {
    @Proves("responses.member.store")
    @TestFactory
    @DisplayName("may not have")
    Stream<DynamicTest> refused() {
      return each(ResponsesMutations.stateless());
    }

    @Proves("responses.member.store")
    @ParameterizedTest
    @ValueSource(
        strings = {
          "'store':false",
          "'previous_response_id':null",
          "'background':null",
          "'background':false"
        })
    @DisplayName("may have")
    void accepted(String member) {
      assertThat(problems(member)).isEmpty();
    }
  }

  @Nested
  @DisplayName("in its other members")
  class MembersOfTheBody {
    @Proves({"responses.member.limits", "responses.member.sampling"})
    @TestFactory
    @DisplayName("is refused for wrong numbers")
    Stream<DynamicTest> numbers() {
      return each(ResponsesMutations.numbers());
    }

    @Proves({
      "responses.member.instructions",
      "responses.member.text",
      "responses.member.reasoning",
      "responses.member.include"
    })
    @TestFactory
    @DisplayName("is refused for wrong members that shape the answer")
    Stream<DynamicTest> shaping() {
      return each(ResponsesMutations.shaping());
    }

    @Proves({"responses.member.handling", "responses.member.others"})
    @TestFactory
    @DisplayName("is refused for wrong members that say how to handle it")
    Stream<DynamicTest> handling() {
      return each(ResponsesMutations.handling());
    }

    @Proves("responses.member.metadata")
    @Test
    @DisplayName(
        "may have 16 pairs of metadata, with keys of 64 and values of 512 characters, and no more")
    void metadata() {
      String key = "k".repeat(64);
      String value = "v".repeat(512);
      assertThat(problems("'metadata':{'" + key + "':'" + value + "'}")).isEmpty();
      assertThat(problems("'metadata':{'" + key + "k':'" + value + "v'}"))
          .satisfiesExactly(
              first ->
                  assertThat(first)
                      .startsWith("/metadata: must have keys of at most 64 characters"),
              second ->
                  assertThat(second)
                      .startsWith("/metadata/" + key + "k: must be a string of at most 512"));
      assertThat(problems("'metadata':" + pairs(16))).isEmpty();
      assertThat(problems("'metadata':" + pairs(17)))
          .containsExactly("/metadata: must have at most 16 pairs, was 17");
    }

    private String pairs(int count) {
      var pairs = Json.object();
      for (int i = 0; i < count; i++) {
        pairs.put("k" + i, "v");
      }
      return pairs.build().toString().replace('"', '\'');
    }

    @Proves("responses.member.others")
    @Test
    @DisplayName("may have 256 characters in session_id and user, whatever their number of bytes")
    void ids() {
      String id = "\u20ac".repeat(256);
      InferenceRequest request = decode(body("'session_id':'" + id + "','user':'" + id + "'"));
      assertThat(request.sessionId()).isEqualTo(id);
      assertThat(request.user()).isEqualTo(id);
    }

    @Proves({
      "responses.member.limits",
      "responses.member.sampling",
      "responses.member.include",
      "responses.member.handling"
    })
    @ParameterizedTest
    @ValueSource(
        strings = {
          "'max_output_tokens':null",
          "'max_tool_calls':1",
          "'max_tool_calls':31",
          "'temperature':0",
          "'temperature':2",
          "'temperature':null",
          "'top_p':0",
          "'top_p':1",
          "'frequency_penalty':-2",
          "'presence_penalty':2",
          "'top_k':0",
          "'top_logprobs':0",
          "'top_logprobs':20",
          "'reasoning':null",
          "'reasoning':{'effort':null,'summary':null,'enabled':null,'max_tokens':null}",
          "'include':null",
          "'truncation':null",
          "'prompt':{'id':'p','variables':null}",
          "'safety_identifier':null",
          "'service_tier':null",
          "'metadata':null",
          "'provider':null",
          "'route':'sort'",
          "'text':{}",
          "'text':{'verbosity':null}",
          "'stream':false",
        })
    @DisplayName("may have values at their bounds, and null where it is allowed")
    void accepted(String member) {
      assertThat(problems(member)).isEmpty();
    }

    @Proves({"responses.member.instructions", "responses.member.models"})
    @Test
    @DisplayName("has typed values for the members that routing needs")
    void typed() {
      InferenceRequest request =
          decode(
              body(
                  "'model':'a/b:free','models':['c/d','a/b:free'],'instructions':'be kind',"
                      + "'max_output_tokens':64,'stream':true,'provider':{'order':['x']},"
                      + "'plugins':[{'id':'web','enabled':false}]"));
      assertThat(request.models()).extracting(Object::toString).containsExactly("a/b:free", "c/d");
      Message instructions = Objects.requireNonNull(request.instructions());
      assertThat(instructions.role()).isEqualTo(Message.Role.SYSTEM);
      assertThat(instructions.source()).isEqualTo(Json.of("be kind"));
      assertThat(request.maxOutputTokens()).isEqualTo(64);
      assertThat(request.streaming()).isTrue();
      assertThat(request.preferences().order()).containsExactly("x");
      assertThat(request.plugins()).extracting(PluginEntry::enabled).containsExactly(false);
    }

    @Test
    @DisplayName("tells which parameters it uses; a member that is null uses none")
    void parameters() {
      assertThat(
              decode(
                      body(
                          "'temperature':null,'top_p':1,'top_k':1,'frequency_penalty':0,"
                              + "'presence_penalty':0,'top_logprobs':0,'max_output_tokens':1,"
                              + "'tools':[{'type':'shell'}],'tool_choice':'auto',"
                              + "'parallel_tool_calls':false,'reasoning':{},"
                              + "'text':{'verbosity':'low','format':{'type':'json_object'}}"))
                  .parameterMask())
          .isEqualTo(
              Parameter.mask(
                  List.of(
                      Parameter.TOP_P,
                      Parameter.TOP_K,
                      Parameter.FREQUENCY_PENALTY,
                      Parameter.PRESENCE_PENALTY,
                      Parameter.TOP_LOGPROBS,
                      Parameter.MAX_COMPLETION_TOKENS,
                      Parameter.TOOLS,
                      Parameter.TOOL_CHOICE,
                      Parameter.PARALLEL_TOOL_CALLS,
                      Parameter.REASONING,
                      Parameter.VERBOSITY,
                      Parameter.RESPONSE_FORMAT)));
      assertThat(
              decode(
                      body(
                          "'temperature':1,'tools':[],'reasoning':null,'text':{'format':"
                              + "{'type':'json_schema','name':'n','schema':{}}}"))
                  .parameterMask())
          .isEqualTo(Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.STRUCTURED_OUTPUTS)));
    }
  }

  @Nested
  @DisplayName("in its tools")
  class Tools {
    @Proves("responses.member.tools")
    @TestFactory
    @DisplayName("is refused for a wrong tool")
    Stream<DynamicTest> refused() {
      return each(ResponsesMutations.tools());
    }

    @Proves("responses.member.tool_choice")
    @TestFactory
    @DisplayName("is refused for a wrong tool choice")
    Stream<DynamicTest> choice() {
      return each(ResponsesMutations.toolChoice());
    }

    @Proves("responses.member.tools")
    @Test
    @DisplayName("has functions without an inner object, with parameters that may be null")
    void function() {
      assertThat(
              decode(
                      body(
                          "'tools':[{'type':'function','name':'f','parameters':null,"
                              + "'description':null,'strict':null},{'type':'function','name':'g',"
                              + "'parameters':{},'description':'d'}]"))
                  .tools())
          .satisfiesExactly(
              first ->
                  assertThat(first)
                      .isInstanceOfSatisfying(
                          Tool.Function.class,
                          f -> {
                            assertThat(f.parameters()).isNull();
                            assertThat(f.description()).isNull();
                            assertThat(f.extras())
                                .isEqualTo(TestJson.of("{'description':null,'strict':null}"));
                          }),
              second ->
                  assertThat(second)
                      .isInstanceOfSatisfying(
                          Tool.Function.class,
                          g -> {
                            assertThat(g.description()).isEqualTo("d");
                            assertThat(g.extras()).isEqualTo(Json.Obj.EMPTY);
                          }));
    }

    @Proves("responses.member.tools")
    @Test
    @DisplayName(
        "may have tools of the upstream, unknown ones included, and known tools of the gateway")
    void kinds() {
      assertThat(
              decode(
                      body(
                          "'tools':[{'type':'mcp','x':1},{'type':'tomorrow'},{'type':'web_search'},"
                              + "{'type':'router:apply_patch'}]"))
                  .tools())
          .hasExactlyElementsOfTypes(
              Tool.Unknown.class, Tool.Unknown.class, Tool.Server.class, Tool.Server.class);
      assertThat(problems("'tools':[{'type':'router:tomorrow'}]"))
          .singleElement()
          .asString()
          .startsWith("/tools/0/type: must be one of router:web_search");
    }

    @Test
    @DisplayName("must leave the choice of tools to the model if it has router:tool_search")
    void toolSearch() {
      String search = "'tools':[{'type':'router:tool_search'}]";
      assertThat(problems(search)).isEmpty();
      assertThat(problems(search + ",'tool_choice':'auto'")).isEmpty();
      assertThat(
              problems(search + ",'tool_choice':{'type':'allowed_tools','mode':'auto','tools':[]}"))
          .isEmpty();
      assertThat(problems(search + ",'tool_choice':'required'"))
          .singleElement()
          .asString()
          .startsWith("/tool_choice: must be auto or allowed_tools");
    }
  }
}
