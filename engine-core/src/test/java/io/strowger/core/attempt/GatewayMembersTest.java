package io.strowger.core.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.ReasoningOptions;
import io.strowger.spi.model.RequestOrigin;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Translation fact sheet, section 8. */
@DisplayName("A request as an adapter sees it")
class GatewayMembersTest {
  private static final String HASH = "user-5e0c";
  private static final String CHAT = "'model':'acme/a','messages':[{'role':'user','content':'x'}]";
  private static final String RESPONSES = "'model':'acme/a','input':'x'";

  private static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  private static InferenceRequest read(Dialect dialect, String more) {
    var problems = new Problems();
    String said = more.isEmpty() ? "" : "," + more;
    InferenceRequest read =
        switch (dialect) {
          case CHAT ->
              new ChatDecoder((e, at, p) -> {}).decode(json("{" + CHAT + said + "}"), problems);
          case MESSAGES ->
              new MessagesDecoder((e, at, p) -> {}).decode(json("{" + CHAT + said + "}"), problems);
          case RESPONSES ->
              new ResponsesDecoder((e, at, p) -> {})
                  .decode(json("{" + RESPONSES + said + "}"), problems);
          case GEMINI -> throw new AssertionError("callers cannot send requests in the dialect it");
        };
    return Objects.requireNonNull(problems.requireValid(read));
  }

  private static InferenceRequest seen(Dialect dialect, String more, @Nullable String hash) {
    return GatewayMembers.removeFrom(read(dialect, more), hash);
  }

  private static String plain(Dialect dialect) {
    return dialect == Dialect.RESPONSES ? RESPONSES : CHAT;
  }

  @Proves("translation.fate.gateway-only")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CHAT MESSAGES RESPONSES | 'provider':{'only':['a']}
          CHAT MESSAGES RESPONSES | 'models':['acme/b']
          CHAT MESSAGES RESPONSES | 'plugins':[{'id':'web'}]
          CHAT MESSAGES RESPONSES | 'route':'fallback'
          CHAT MESSAGES RESPONSES | 'preset':'p'
          CHAT MESSAGES RESPONSES | 'session_id':'s'
          CHAT MESSAGES RESPONSES | 'trace':{'trace_id':'t'}
          CHAT MESSAGES RESPONSES | 'debug':{'echo_upstream_body':true}
          CHAT MESSAGES RESPONSES | 'stop_server_tools_when':[{'type':'step_count_is','step_count':2}]
          CHAT MESSAGES           | 'max_tool_calls':3
          CHAT MESSAGES RESPONSES | 'fallbacks':[{'model':'acme/b'}]
          MESSAGES RESPONSES      | 'include_reasoning':false
          MESSAGES RESPONSES      | 'reasoning':{'exclude':true}
          MESSAGES                | 'user':'alice'
          RESPONSES               | 'cache_control':{'type':'ephemeral'}
          """)
  @DisplayName("has no member that only the gateway reads, nor is one among its settings")
  void gatewayOnly(String dialects, String member) {
    for (String dialect : dialects.split(" ")) {
      Dialect of = Dialect.valueOf(dialect);
      InferenceRequest seen = seen(of, member, HASH);
      assertThat(seen.members()).isEqualTo(json("{" + plain(of) + "}"));
      assertThat(seen.generationParameters().dialectMembers()).isEmpty();
    }
  }

  @Test
  @DisplayName("has what upstreams of its dialect know by the same name")
  void upstreams() {
    assertThat(seen(Dialect.RESPONSES, "'max_tool_calls':3", null).members().has("max_tool_calls"))
        .isTrue();
    String shown = "'include_reasoning':false,'reasoning':{'exclude':true}";
    assertThat(seen(Dialect.CHAT, shown, null).members().get("reasoning"))
        .isEqualTo(json("{'exclude':true}"));
    assertThat(seen(Dialect.CHAT, shown, null).members().get("include_reasoning"))
        .isEqualTo(Json.FALSE);
    String marked = "'cache_control':{'type':'ephemeral'}";
    assertThat(seen(Dialect.MESSAGES, marked, null).members().has("cache_control")).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("is the caller's, the very object, where there is nothing to take out")
  void same(Dialect dialect) {
    String more =
        "'temperature':1.0,'metadata':{'k':'v'},'reasoning':{'effort':'low'},'stream':true";
    InferenceRequest request = read(dialect, more);
    assertThat(GatewayMembers.removeFrom(request, HASH)).isSameAs(request);
    InferenceRequest once = seen(dialect, "'user':'alice','provider':{},'models':['acme/b']", HASH);
    assertThat(GatewayMembers.removeFrom(once, HASH)).isSameAs(once);
  }

  @Test
  @DisplayName("has its other members in their order, each with its own bytes")
  void bytes() {
    InferenceRequest request =
        read(Dialect.CHAT, "'x' : { 'a' : [1e2 ] },'route':null,'seed': 1 ,'trace':{},'y':[ ]");
    InferenceRequest seen = GatewayMembers.removeFrom(request, null);
    assertThat(new String(seen.members().toBytes(), StandardCharsets.UTF_8))
        .isEqualTo(("{" + CHAT + ",'x':{ 'a' : [1e2 ] },'seed':1,'y':[ ]}").replace('\'', '"'));
    assertThat(seen.parameterMask()).isEqualTo(request.parameterMask());
    assertThat(seen.members().get("x")).isSameAs(request.members().get("x"));
  }

  @Test
  @DisplayName("says nothing of routing, plugins and session in its typed form either")
  void typed() {
    String said =
        "'provider':{'only':['a']},'models':['acme/b','acme/c'],'plugins':[{'id':'web'}],"
            + "'session_id':'s'";
    InferenceRequest seen = seen(Dialect.CHAT, said, null);
    assertThat(seen.preferences()).isSameAs(ProviderPreferences.NONE);
    assertThat(seen.models()).containsExactly(ModelRef.parse("acme/a"));
    assertThat(seen.plugins()).isEmpty();
    assertThat(seen.sessionId()).isNull();
    InferenceRequest header = read(Dialect.CHAT, "").toBuilder().sessionId("of a header").build();
    assertThat(GatewayMembers.removeFrom(header, null).sessionId()).isNull();
  }

  @Test
  @DisplayName("says nothing of where it came from, nor of the preset it was made with")
  void origin() {
    var origin =
        new RequestOrigin("https://app.test/", "App", List.of("games"), "curl/9", "preset-7");
    InferenceRequest request = read(Dialect.CHAT, "").toBuilder().origin(origin).build();
    InferenceRequest seen = GatewayMembers.removeFrom(request, null);
    assertThat(seen.origin()).isEqualTo(RequestOrigin.UNKNOWN);
    assertThat(seen.members()).isSameAs(request.members());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("declares no tool that the gateway runs")
  void tools(Dialect dialect) {
    InferenceRequest request = read(dialect, "'tools':[{'type':'router:datetime'}]");
    assertThat(request.tools()).hasSize(1);
    assertThat(GatewayMembers.removeFrom(request, null).tools()).isEmpty();
    var unknown = new Tool.Unknown("router:new", json("{'type':'router:new'}"));
    var vendors = new Tool.Unknown("mcp", json("{'type':'mcp'}"));
    InferenceRequest both = read(dialect, "").toBuilder().tools(List.of(unknown, vendors)).build();
    assertThat(GatewayMembers.removeFrom(both, null).tools()).containsExactly(vendors);
  }

  @Nested
  @DisplayName("names the end user")
  class EndUser {
    private static final String SAID =
        "'user':'alice','metadata':{'user_id':'bob','k':'v'},'safety_identifier':'carol'";

    @ParameterizedTest(name = "{0}")
    @EnumSource(
        value = Dialect.class,
        names = {"CHAT", "MESSAGES", "RESPONSES"})
    @DisplayName("by the hash wherever the caller did, in its place")
    void hashed(Dialect dialect) {
      InferenceRequest seen = seen(dialect, SAID, HASH);
      String user = dialect == Dialect.MESSAGES ? "" : "'user':'HASH',";
      String expected = user + "'metadata':{'user_id':'HASH','k':'v'},'safety_identifier':'HASH'";
      assertThat(seen.members())
          .isEqualTo(json("{" + plain(dialect) + "," + expected.replace("HASH", HASH) + "}"));
      assertThat(seen.user()).isEqualTo(HASH);
      assertThat(seen.members().toString()).doesNotContain("alice", "bob", "carol");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
        value = Dialect.class,
        names = {"CHAT", "MESSAGES", "RESPONSES"})
    @DisplayName("not at all when there is no hash")
    void nobody(Dialect dialect) {
      InferenceRequest seen = seen(dialect, SAID, null);
      assertThat(seen.members().get("metadata")).isEqualTo(json("{'k':'v'}"));
      assertThat(seen.members().toString()).doesNotContain("alice", "bob", "carol");
      assertThat(seen.user()).isNull();
    }
  }

  @Nested
  @DisplayName("has the settings the caller said")
  class SettingsKept {
    private static ReasoningOptions wish(Dialect dialect, String said) {
      return seen(dialect, said, null).generationParameters().reasoning();
    }

    @Test
    @DisplayName("that reasoning is not to be shown, though no upstream of its dialect knows that")
    void hidden() {
      for (Dialect dialect : List.of(Dialect.MESSAGES, Dialect.RESPONSES)) {
        for (String said : List.of("'include_reasoning':false", "'reasoning':{'exclude':true}")) {
          InferenceRequest request = read(dialect, said);
          assertThat(wish(dialect, said)).isEqualTo(request.generationParameters().reasoning());
          assertThat(wish(dialect, said).hidden()).isTrue();
        }
      }
      assertThat(wish(Dialect.RESPONSES, "'reasoning':{'exclude':true,'effort':'low'}"))
          .isEqualTo(
              read(Dialect.RESPONSES, "'reasoning':{'exclude':true,'effort':'low'}")
                  .generationParameters()
                  .reasoning());
    }

    @Test
    @DisplayName("what is to be cached, though no upstream of its dialect knows that")
    void cached() {
      String said = "'cache_control':{'type':'ephemeral'}";
      assertThat(seen(Dialect.RESPONSES, said, null).generationParameters().cacheControl())
          .isEqualTo(json("{'type':'ephemeral'}"));
    }

    @Test
    @DisplayName("and those a plugin around the attempt says instead")
    void changed() {
      InferenceRequest seen =
          seen(Dialect.RESPONSES, "'reasoning':{'exclude':true,'effort':'low'}", null);
      InferenceRequest changed =
          seen.toBuilder().member("reasoning", json("{'effort':'high'}")).build();
      assertThat(changed.generationParameters().reasoning().effort()).isEqualTo(Effort.HIGH);
      assertThat(changed.generationParameters().reasoning().hidden()).isTrue();
      assertThat(changed.generationParameters().dialectMembers()).isEmpty();
    }
  }
}
