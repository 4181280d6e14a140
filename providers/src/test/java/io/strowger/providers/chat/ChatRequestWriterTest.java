package io.strowger.providers.chat;

import static io.strowger.providers.chat.ChatFixtures.HASH;
import static io.strowger.providers.chat.ChatFixtures.call;
import static io.strowger.providers.chat.ChatFixtures.endpoint;
import static io.strowger.providers.chat.ChatFixtures.json;
import static io.strowger.providers.chat.ChatFixtures.parsed;
import static io.strowger.providers.chat.ChatFixtures.request;
import static io.strowger.providers.chat.ChatFixtures.supporting;
import static io.strowger.providers.chat.ChatFixtures.written;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The body sent to an upstream")
class ChatRequestWriterTest {
  private static final String MESSAGES = "'messages':[{'role':'user','content':'hi'}]";

  private static String sent(String members) {
    return written(call(request("{" + MESSAGES + "," + members + "}")));
  }

  private static Json.Obj sentJson(String members) {
    return parsed(sent(members));
  }

  @Proves({"routing.parameters.absent", "translation.fate.rewritten", "translation.fate.copied"})
  @Test
  @DisplayName("keeps the caller's order, spelling and white space, with the upstream's model name")
  void faithful() {
    String body =
        "{ 'temperature' : 1.0 ,'model':'lab/model','messages':[ {'role' : 'user',"
            + "'content':'\\u0041 \\n'} ],'x_unknown':{ 'a' : [1e2 , 2.50] },'seed':null}";
    assertThat(written(call(request(body))))
        .isEqualTo(
            ("{'temperature':1.0,'model':'their-name','messages':[ {'role' : 'user',"
                    + "'content':'\\u0041 \\n'} ],'x_unknown':{ 'a' : [1e2 , 2.50] },'seed':null}")
                .replace('\'', '"'));
  }

  @Test
  @DisplayName("keeps unknown members of a message, also when its content is changed")
  void messageExtras() {
    String body =
        "{'messages':[{'role':'assistant','content':'a','x':1},"
            + "{'role':'user','content':'b'}]}";
    InferenceRequest read = request(body);
    assertThat(written(call(read))).contains("\"x\":1");
    Message changed = read.messages().get(0).withParts(List.of(new Part.Text("new")));
    InferenceRequest edited =
        read.toBuilder().messages(List.of(changed, read.messages().get(1))).build();
    assertThat(written(call(edited))).contains("\"x\":1", "\"new\"");
  }

  @Nested
  @DisplayName("names the end user")
  class User {
    private Json.Obj sent(String members, @Nullable String hash) {
      return parsed(
          written(call(endpoint(), request("{" + MESSAGES + "," + members + "}"), 0, hash)));
    }

    @Proves("translation.fate.rewritten")
    @Test
    @DisplayName("by a hash in place of the caller's value")
    void hashed() {
      assertThat(sent("'user':'alice'", HASH).text("user")).isEqualTo(HASH);
    }

    @Test
    @DisplayName("not at all when there is no hash")
    void dropped() {
      assertThat(sent("'user':'alice'", null).has("user")).isFalse();
      assertThat(sent("'metadata':{'user_id':'alice','k':'v'}", null).get("metadata"))
          .isEqualTo(json("{'k':'v'}"));
    }

    @Test
    @DisplayName("also in the metadata, and only where the caller named one")
    void metadata() {
      Json.Obj sent = sent("'metadata':{'user_id':'alice','k':'v'}", HASH);
      assertThat(sent.get("metadata")).isEqualTo(json("{'user_id':'" + HASH + "','k':'v'}"));
      assertThat(sent.has("user")).isFalse();
      Json.Obj both = sent("'metadata':{'user_id':'alice'},'user':'bob'", HASH);
      assertThat(both.toString()).doesNotContain("alice", "bob");
      assertThat(both.text("user")).isEqualTo(HASH);
    }

    @Test
    @DisplayName("also in the safety identifier")
    void safety() {
      InferenceRequest named = request("{" + MESSAGES + ",'safety_identifier':'alice'}");
      Json.Obj sent = parsed(written(call(endpoint(), named, 0, HASH)));
      assertThat(sent.get("safety_identifier")).isEqualTo(Json.of(HASH));
      assertThat(sent.has("user")).isFalse();
      assertThat(written(call(endpoint(), named, 0, null))).doesNotContain("safety", "alice");
    }

    @Test
    @DisplayName("also when only a plugin named one")
    void named() {
      assertThat(sent("'n':1", HASH).text("user")).isEqualTo(HASH);
    }
  }

  @Test
  @DisplayName("has no service tier that is selected by the choice of an endpoint")
  void serviceTier() {
    assertThat(tier(endpoint(), "fast")).isNull();
    assertThat(tier(endpoint(), "priority")).isNull();
    assertThat(tier(endpoint(), "flex")).isNull();
    assertThat(tier(endpoint(), "scale")).isEqualTo("scale");
    assertThat(tier(endpoint(), "default")).isEqualTo("default");
  }

  @Proves({"translation.request.tier", "translation.fate.rewritten"})
  @Test
  @DisplayName("has the service tier of the chosen endpoint, whatever the caller requested")
  void tierOfTheEndpoint() {
    var flex = endpoint().toBuilder().serviceTier("flex").build();
    assertThat(tier(flex, "auto")).isEqualTo("flex");
    var withoutTier = request("{" + MESSAGES + "}");
    assertThat(parsed(written(call(flex, withoutTier, 0, null))).text("service_tier"))
        .isEqualTo("flex");
  }

  private static @Nullable String tier(Endpoint endpoint, String requested) {
    var request =
        request("{" + MESSAGES + "}").toBuilder()
            .member("service_tier", Json.of(requested))
            .build();
    return parsed(written(call(endpoint, request, 0, null))).text("service_tier");
  }

  @Nested
  @DisplayName("of a stream")
  class Streams {
    @Proves({
      "resources.record.usage.include",
      "chat.member.stream_options",
      "translation.fate.rewritten"
    })
    @Test
    @DisplayName("asks for the usage, whatever the caller set")
    void usage() {
      for (String options : List.of("", ",'stream_options':null", ",'stream_options':{}")) {
        assertThat(sentJson("'stream':true" + options).get("stream_options"))
            .as(options)
            .isEqualTo(json("{'include_usage':true}"));
      }
      assertThat(
              sentJson("'stream':true,'stream_options':{'include_usage':false,'x':1}")
                  .get("stream_options"))
          .isEqualTo(json("{'include_usage':true,'x':1}"));
    }

    @Test
    @DisplayName("has no stream options when the answer is not streamed")
    void none() {
      assertThat(sentJson("'stream':false,'stream_options':{'include_usage':true}"))
          .isEqualTo(json("{" + MESSAGES + ",'stream':false,'model':'their-name'}"));
    }

    @Test
    @DisplayName("follows the typed request, which a plugin may have changed")
    void typed() {
      InferenceRequest requested = request("{" + MESSAGES + ",'stream':true}");
      assertThat(
              parsed(written(call(requested.toBuilder().streaming(false).build()))).get("stream"))
          .isEqualTo(Json.FALSE);
      InferenceRequest plain = request("{" + MESSAGES + "}");
      Json.Obj sent = parsed(written(call(plain.toBuilder().streaming(true).build())));
      assertThat(sent.get("stream")).isEqualTo(Json.TRUE);
      assertThat(sent.get("stream_options")).isEqualTo(json("{'include_usage':true}"));
    }
  }

  @Nested
  @DisplayName("limits the output")
  class Limits {
    private static final long BOTH =
        Parameter.MAX_TOKENS.bit() | Parameter.MAX_COMPLETION_TOKENS.bit();

    @ParameterizedTest
    @CsvSource(
        quoteCharacter = '`',
        value = {
          "'max_tokens':50, 0, true, true, max_tokens, 50",
          "'max_completion_tokens':50, 0, true, true, max_completion_tokens, 50",
          "'max_tokens':50, 20, true, true, max_tokens, 20",
          "'max_completion_tokens':50, 20, true, true, max_completion_tokens, 20",
          "'n':1, 20, true, true, max_completion_tokens, 20",
          "'max_tokens':null, 20, true, true, max_completion_tokens, 20",
          "'n':1, 20, true, false, max_tokens, 20",
          "'n':1, 20, false, true, max_completion_tokens, 20",
          "'max_tokens':50, 0, false, true, max_completion_tokens, 50",
          "'max_completion_tokens':50, 0, true, false, max_tokens, 50",
          "'max_tokens':50, 0, false, false, max_tokens, 50",
        })
    @DisplayName(
        "under the caller's name or the newer one, unless the endpoint supports only the other")
    void names(String member, int cap, boolean plain, boolean completion, String name, int limit) {
      long bits =
          // ALL would mean that nothing is listed, so one more parameter is missing
          Parameter.ALL & ~BOTH & ~Parameter.TOP_A.bit()
              | (plain ? Parameter.MAX_TOKENS.bit() : 0)
              | (completion ? Parameter.MAX_COMPLETION_TOKENS.bit() : 0);
      InferenceRequest request = request("{" + MESSAGES + "," + member + "}");
      Json.Obj sent = parsed(written(call(supporting(bits), request, cap, null)));
      assertThat(sent.get(name)).isEqualTo(Json.of(limit));
      assertThat(sent.has("max_tokens") && sent.has("max_completion_tokens")).isFalse();
    }

    @Test
    @DisplayName("under the older name if the endpoint's parameters are not listed")
    void unlisted() {
      Json.Obj sent = parsed(written(call(endpoint(), request("{" + MESSAGES + "}"), 20, null)));
      assertThat(sent.longValue("max_tokens", 0)).isEqualTo(20);
      assertThat(sent.has("max_completion_tokens")).isFalse();
    }

    @Test
    @DisplayName("only when the caller or the gateway sets a limit")
    void none() {
      assertThat(sent("'max_tokens':null")).doesNotContain("max_");
    }

    @Test
    @DisplayName("under one name when the caller used both")
    void once() {
      Json.Obj sent = sentJson("'max_completion_tokens':30,'max_tokens':30");
      assertThat(sent.longValue("max_completion_tokens", 0)).isEqualTo(30);
      assertThat(sent.has("max_tokens")).isFalse();
    }
  }

  @Nested
  @DisplayName("to an endpoint that lacks a parameter")
  class Unsupported {
    private Json.Obj sent(Parameter lacking, String members) {
      return parsed(
          written(
              call(
                  supporting(Parameter.ALL & ~lacking.bit()),
                  request("{" + MESSAGES + "," + members + "}"),
                  0,
                  null)));
    }

    @Test
    @DisplayName("lacks it and keeps every other one")
    void dropped() {
      Json.Obj sent = sent(Parameter.SEED, "'seed':1,'top_k':2,'x_unknown':3");
      assertThat(sent.has("seed")).isFalse();
      assertThat(sent.longValue("top_k", 0)).isEqualTo(2);
      assertThat(sent.longValue("x_unknown", 0)).isEqualTo(3);
    }

    @Test
    @DisplayName("keeps the response format if it supports either parameter for one")
    void schema() {
      String format = "'response_format':{'type':'json_object'}";
      assertThat(sent(Parameter.RESPONSE_FORMAT, format).has("response_format")).isTrue();
      assertThat(sent(Parameter.STRUCTURED_OUTPUTS, format).has("response_format")).isTrue();
      var neither =
          supporting(
              Parameter.ALL
                  & ~Parameter.RESPONSE_FORMAT.bit()
                  & ~Parameter.STRUCTURED_OUTPUTS.bit());
      assertThat(written(call(neither, request("{" + MESSAGES + "," + format + "}"), 0, null)))
          .doesNotContain("response_format");
    }

    @Test
    @DisplayName("has neither tools nor a tool choice")
    void tools() {
      Json.Obj sent =
          sent(
              Parameter.TOOLS,
              "'tools':[{'type':'function','function':{'name':'f'}}],'tool_choice':'auto',"
                  + "'parallel_tool_calls':true");
      assertThat(sent.has("tools") || sent.has("tool_choice") || sent.has("parallel_tool_calls"))
          .isFalse();
    }
  }

  @Nested
  @DisplayName("has as its tools")
  class Tools {
    private final Tool.Function function =
        (Tool.Function)
            request(
                    "{"
                        + MESSAGES
                        + ",'tools':[{"
                        + " 'type':'function','function':{'name':'f','strict':true,'parameters':{'type'"
                        + " : 'object'}},'cache_control':{'type':'ephemeral'}}]}")
                .tools()
                .get(0);

    private Json.Obj sent(List<Tool> tools, String members) {
      InferenceRequest request = request("{" + MESSAGES + "," + members + "}");
      return parsed(written(call(request.toBuilder().tools(tools).build())));
    }

    @Test
    @DisplayName("none that the gateway itself runs")
    void gatewayTools() {
      Json.Obj clock = json("{'type':'router:datetime'}");
      Json.Obj sent =
          sent(
              List.of(
                  new Tool.Server("router:datetime", Json.Obj.EMPTY, clock),
                  new Tool.Unknown("router:new", clock),
                  function,
                  new Tool.Unknown("custom", json("{'type':'custom','x':1}"))),
              "'n':1");
      assertThat(sent.toString()).doesNotContain("router:");
      assertThat(sent.list("tools")).hasSize(2).contains(json("{'type':'custom','x':1}"));
    }

    @Test
    @DisplayName("no list and no tool choice when none is left")
    void noneLeft() {
      Json.Obj sent =
          sent(
              List.of(new Tool.Server("router:datetime", Json.Obj.EMPTY, null)),
              "'tool_choice':'required','parallel_tool_calls':false");
      assertThat(sent.has("tools") || sent.has("tool_choice") || sent.has("parallel_tool_calls"))
          .isFalse();
    }

    @Test
    @DisplayName("those that were changed, written from their fields with unknown members kept")
    void changed() {
      var renamed =
          new Tool.Function("g", "does g", function.parameters(), function.extras(), null);
      assertThat(sent(List.of(renamed), "'n':1").list("tools"))
          .containsExactly(
              json(
                  "{'type':'function','function':{'name':'g','description':'does g','strict':true,"
                      + "'parameters':{'type':'object'}},'cache_control':{'type':'ephemeral'}}"));
    }
  }
}
