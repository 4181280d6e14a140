package io.strowger.providers.chat;

import static io.strowger.providers.chat.Bodies.HASH;
import static io.strowger.providers.chat.Bodies.call;
import static io.strowger.providers.chat.Bodies.endpoint;
import static io.strowger.providers.chat.Bodies.json;
import static io.strowger.providers.chat.Bodies.parsed;
import static io.strowger.providers.chat.Bodies.request;
import static io.strowger.providers.chat.Bodies.supporting;
import static io.strowger.providers.chat.Bodies.written;
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

@DisplayName("The body an upstream gets")
class ChatRequestWriterTest {
  private static final String ASK = "'messages':[{'role':'user','content':'hi'}]";

  private static String sent(String members) {
    return written(call(request("{" + ASK + "," + members + "}")));
  }

  private static Json.Obj sentJson(String members) {
    return parsed(sent(members));
  }

  @Proves({"routing.parameters.absent", "translation.fate.rewritten", "translation.fate.copied"})
  @Test
  @DisplayName("keeps the caller's order, spelling and white space, and names the upstream's model")
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
  @DisplayName("keeps members of a message that nobody models, also when its content is changed")
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
      return parsed(written(call(endpoint(), request("{" + ASK + "," + members + "}"), 0, hash)));
    }

    @Proves("translation.fate.rewritten")
    @Test
    @DisplayName("by a hash in place of the name")
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
    @DisplayName("in the metadata too, once where the caller named him once")
    void metadata() {
      Json.Obj sent = sent("'metadata':{'user_id':'alice','k':'v'}", HASH);
      assertThat(sent.get("metadata")).isEqualTo(json("{'user_id':'" + HASH + "','k':'v'}"));
      assertThat(sent.has("user")).isFalse();
      Json.Obj both = sent("'metadata':{'user_id':'alice'},'user':'bob'", HASH);
      assertThat(both.toString()).doesNotContain("alice", "bob");
      assertThat(both.text("user")).isEqualTo(HASH);
    }

    @Test
    @DisplayName("by a hash too where the caller named him for safety's sake")
    void safety() {
      InferenceRequest named = request("{" + ASK + ",'safety_identifier':'alice'}");
      Json.Obj sent = parsed(written(call(endpoint(), named, 0, HASH)));
      assertThat(sent.get("safety_identifier")).isEqualTo(Json.of(HASH));
      assertThat(sent.has("user")).isFalse();
      assertThat(written(call(endpoint(), named, 0, null))).doesNotContain("safety", "alice");
    }

    @Test
    @DisplayName("also when a plugin named him")
    void named() {
      assertThat(sent("'n':1", HASH).text("user")).isEqualTo(HASH);
    }
  }

  @Test
  @DisplayName("asks a plain endpoint for no tier that has endpoints of its own")
  void serviceTier() {
    assertThat(tier(endpoint(), "fast")).isNull();
    assertThat(tier(endpoint(), "priority")).isNull();
    assertThat(tier(endpoint(), "flex")).isNull();
    assertThat(tier(endpoint(), "scale")).isEqualTo("scale");
    assertThat(tier(endpoint(), "default")).isEqualTo("default");
  }

  @Proves({"translation.request.tier", "translation.fate.rewritten"})
  @Test
  @DisplayName("names the tier of the endpoint that was chosen, whatever was asked for")
  void tierOfTheEndpoint() {
    var flex = endpoint().toBuilder().serviceTier("flex").build();
    assertThat(tier(flex, "auto")).isEqualTo("flex");
    var silent = request("{" + ASK + "}");
    assertThat(parsed(written(call(flex, silent, 0, null))).text("service_tier")).isEqualTo("flex");
  }

  private static @Nullable String tier(Endpoint endpoint, String asked) {
    var request =
        request("{" + ASK + "}").toBuilder().member("service_tier", Json.of(asked)).build();
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
    @DisplayName("asks for the usage, whatever the caller said about it")
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
    @DisplayName("does not speak of streams when there is none")
    void none() {
      assertThat(sentJson("'stream':false,'stream_options':{'include_usage':true}"))
          .isEqualTo(json("{" + ASK + ",'stream':false,'model':'their-name'}"));
    }

    @Test
    @DisplayName("is one when a plugin wants it to be, and none when it does not")
    void typed() {
      InferenceRequest asked = request("{" + ASK + ",'stream':true}");
      assertThat(parsed(written(call(asked.toBuilder().streaming(false).build()))).get("stream"))
          .isEqualTo(Json.FALSE);
      InferenceRequest plain = request("{" + ASK + "}");
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
        "under the caller's name unless the endpoint knows only the other, else the newer one")
    void names(String member, int cap, boolean plain, boolean completion, String name, int limit) {
      long bits =
          Parameter.ALL & ~BOTH & ~Parameter.TOP_A.bit() // listed, not just unknown
              | (plain ? Parameter.MAX_TOKENS.bit() : 0)
              | (completion ? Parameter.MAX_COMPLETION_TOKENS.bit() : 0);
      InferenceRequest request = request("{" + ASK + "," + member + "}");
      Json.Obj sent = parsed(written(call(supporting(bits), request, cap, null)));
      assertThat(sent.get(name)).isEqualTo(Json.of(limit));
      assertThat(sent.has("max_tokens") && sent.has("max_completion_tokens")).isFalse();
    }

    @Test
    @DisplayName("under the older name where nobody listed what the endpoint takes")
    void unlisted() {
      Json.Obj sent = parsed(written(call(endpoint(), request("{" + ASK + "}"), 20, null)));
      assertThat(sent.longValue("max_tokens", 0)).isEqualTo(20);
      assertThat(sent.has("max_completion_tokens")).isFalse();
    }

    @Test
    @DisplayName("not when neither the caller nor the gateway does")
    void none() {
      assertThat(sent("'max_tokens':null")).doesNotContain("max_");
    }

    @Test
    @DisplayName("once, when the caller used both names")
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
                  request("{" + ASK + "," + members + "}"),
                  0,
                  null)));
    }

    @Test
    @DisplayName("goes without it, and with every other one")
    void dropped() {
      Json.Obj sent = sent(Parameter.SEED, "'seed':1,'top_k':2,'unheard_of':3");
      assertThat(sent.has("seed")).isFalse();
      assertThat(sent.longValue("top_k", 0)).isEqualTo(2);
      assertThat(sent.longValue("unheard_of", 0)).isEqualTo(3);
    }

    @Test
    @DisplayName("keeps a schema where either way to ask for one is known")
    void schema() {
      String format = "'response_format':{'type':'json_object'}";
      assertThat(sent(Parameter.RESPONSE_FORMAT, format).has("response_format")).isTrue();
      assertThat(sent(Parameter.STRUCTURED_OUTPUTS, format).has("response_format")).isTrue();
      var neither =
          supporting(
              Parameter.ALL
                  & ~Parameter.RESPONSE_FORMAT.bit()
                  & ~Parameter.STRUCTURED_OUTPUTS.bit());
      assertThat(written(call(neither, request("{" + ASK + "," + format + "}"), 0, null)))
          .doesNotContain("response_format");
    }

    @Test
    @DisplayName("has neither tools nor a choice among them")
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
  @DisplayName("has, of the tools,")
  class Tools {
    private final Tool.Function function =
        (Tool.Function)
            request(
                    "{"
                        + ASK
                        + ",'tools':[{"
                        + " 'type':'function','function':{'name':'f','strict':true,'parameters':{'type'"
                        + " : 'object'}},'cache_control':{'type':'ephemeral'}}]}")
                .tools()
                .get(0);

    private Json.Obj sent(List<Tool> tools, String members) {
      InferenceRequest request = request("{" + ASK + "," + members + "}");
      return parsed(written(call(request.toBuilder().tools(tools).build())));
    }

    @Test
    @DisplayName("none that the gateway runs")
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
    @DisplayName("no list at all, and no choice, when none is left")
    void noneLeft() {
      Json.Obj sent =
          sent(
              List.of(new Tool.Server("router:datetime", Json.Obj.EMPTY, null)),
              "'tool_choice':'required','parallel_tool_calls':false");
      assertThat(sent.has("tools") || sent.has("tool_choice") || sent.has("parallel_tool_calls"))
          .isFalse();
    }

    @Test
    @DisplayName("those changed here from their fields, unmodelled members kept")
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
