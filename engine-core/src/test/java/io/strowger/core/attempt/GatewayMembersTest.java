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

/** Tests what {@link GatewayMembers} removes. Translation fact sheet, section 8. */
@DisplayName("A request to an adapter")
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

  private static InferenceRequest read(Dialect dialect, String members) {
    var problems = new Problems();
    String more = members.isEmpty() ? "" : "," + members;
    InferenceRequest decoded =
        switch (dialect) {
          case CHAT ->
              new ChatDecoder((e, at, p) -> {}).decode(json("{" + CHAT + more + "}"), problems);
          case MESSAGES ->
              new MessagesDecoder((e, at, p) -> {}).decode(json("{" + CHAT + more + "}"), problems);
          case RESPONSES ->
              new ResponsesDecoder((e, at, p) -> {})
                  .decode(json("{" + RESPONSES + more + "}"), problems);
          case GEMINI -> throw new AssertionError("callers cannot send the Gemini dialect");
        };
    return Objects.requireNonNull(problems.requireValid(decoded));
  }

  /** Decodes a body with these members and removes the members of the gateway. */
  private static InferenceRequest forAdapter(
      Dialect dialect, String members, @Nullable String hash) {
    return GatewayMembers.removeFrom(read(dialect, members), hash);
  }

  private static String requiredMembers(Dialect dialect) {
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
  @DisplayName(
      "has no member that only the gateway reads, neither in its body nor in its parameters")
  void gatewayOnly(String dialects, String member) {
    for (String dialect : dialects.split(" ")) {
      Dialect bodyDialect = Dialect.valueOf(dialect);
      InferenceRequest sent = forAdapter(bodyDialect, member, HASH);
      assertThat(sent.members()).isEqualTo(json("{" + requiredMembers(bodyDialect) + "}"));
      assertThat(sent.generationParameters().dialectMembers()).isEmpty();
    }
  }

  @Test
  @DisplayName("keeps members that upstreams of its dialect know by the same name")
  void upstreams() {
    assertThat(
            forAdapter(Dialect.RESPONSES, "'max_tool_calls':3", null)
                .members()
                .has("max_tool_calls"))
        .isTrue();
    String reasoning = "'include_reasoning':false,'reasoning':{'exclude':true}";
    assertThat(forAdapter(Dialect.CHAT, reasoning, null).members().get("reasoning"))
        .isEqualTo(json("{'exclude':true}"));
    assertThat(forAdapter(Dialect.CHAT, reasoning, null).members().get("include_reasoning"))
        .isEqualTo(Json.FALSE);
    String cacheControl = "'cache_control':{'type':'ephemeral'}";
    assertThat(forAdapter(Dialect.MESSAGES, cacheControl, null).members().has("cache_control"))
        .isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("is the same object as the caller's if there is nothing to remove")
  void same(Dialect dialect) {
    String members =
        "'temperature':1.0,'metadata':{'k':'v'},'reasoning':{'effort':'low'},'stream':true";
    InferenceRequest request = read(dialect, members);
    assertThat(GatewayMembers.removeFrom(request, HASH)).isSameAs(request);
    InferenceRequest cleaned =
        forAdapter(dialect, "'user':'alice','provider':{},'models':['acme/b']", HASH);
    assertThat(GatewayMembers.removeFrom(cleaned, HASH)).isSameAs(cleaned);
  }

  @Test
  @DisplayName("keeps the order and the bytes of all other members")
  void bytes() {
    InferenceRequest request =
        read(Dialect.CHAT, "'x' : { 'a' : [1e2 ] },'route':null,'seed': 1 ,'trace':{},'y':[ ]");
    InferenceRequest sent = GatewayMembers.removeFrom(request, null);
    assertThat(new String(sent.members().toBytes(), StandardCharsets.UTF_8))
        .isEqualTo(("{" + CHAT + ",'x':{ 'a' : [1e2 ] },'seed':1,'y':[ ]}").replace('\'', '"'));
    assertThat(sent.parameterMask()).isEqualTo(request.parameterMask());
    assertThat(sent.members().get("x")).isSameAs(request.members().get("x"));
  }

  @Test
  @DisplayName("has no routing, plugins or session in its typed fields either")
  void typed() {
    String members =
        "'provider':{'only':['a']},'models':['acme/b','acme/c'],'plugins':[{'id':'web'}],"
            + "'session_id':'s'";
    InferenceRequest sent = forAdapter(Dialect.CHAT, members, null);
    assertThat(sent.preferences()).isSameAs(ProviderPreferences.NONE);
    assertThat(sent.models()).containsExactly(ModelRef.parse("acme/a"));
    assertThat(sent.plugins()).isEmpty();
    assertThat(sent.sessionId()).isNull();
    InferenceRequest header = read(Dialect.CHAT, "").toBuilder().sessionId("of a header").build();
    assertThat(GatewayMembers.removeFrom(header, null).sessionId()).isNull();
  }

  @Test
  @DisplayName("has neither the origin of the call nor the preset it used")
  void origin() {
    var origin =
        new RequestOrigin("https://app.test/", "App", List.of("games"), "curl/9", "preset-7");
    InferenceRequest request = read(Dialect.CHAT, "").toBuilder().origin(origin).build();
    InferenceRequest sent = GatewayMembers.removeFrom(request, null);
    assertThat(sent.origin()).isEqualTo(RequestOrigin.UNKNOWN);
    assertThat(sent.members()).isSameAs(request.members());
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("has no tools that the gateway runs")
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
    private static final String USER_MEMBERS =
        "'user':'alice','metadata':{'user_id':'bob','k':'v'},'safety_identifier':'carol'";

    @ParameterizedTest(name = "{0}")
    @EnumSource(
        value = Dialect.class,
        names = {"CHAT", "MESSAGES", "RESPONSES"})
    @DisplayName("by the hash, in every member where the caller names the user")
    void hashed(Dialect dialect) {
      InferenceRequest sent = forAdapter(dialect, USER_MEMBERS, HASH);
      String user = dialect == Dialect.MESSAGES ? "" : "'user':'HASH',";
      String expected = user + "'metadata':{'user_id':'HASH','k':'v'},'safety_identifier':'HASH'";
      assertThat(sent.members())
          .isEqualTo(
              json("{" + requiredMembers(dialect) + "," + expected.replace("HASH", HASH) + "}"));
      assertThat(sent.user()).isEqualTo(HASH);
      assertThat(sent.members().toString()).doesNotContain("alice", "bob", "carol");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
        value = Dialect.class,
        names = {"CHAT", "MESSAGES", "RESPONSES"})
    @DisplayName("not at all if there is no hash")
    void withoutHash(Dialect dialect) {
      InferenceRequest sent = forAdapter(dialect, USER_MEMBERS, null);
      assertThat(sent.members().get("metadata")).isEqualTo(json("{'k':'v'}"));
      assertThat(sent.members().toString()).doesNotContain("alice", "bob", "carol");
      assertThat(sent.user()).isNull();
    }
  }

  @Nested
  @DisplayName("keeps the caller's parameters:")
  class SettingsKept {
    private static ReasoningOptions reasoning(Dialect dialect, String members) {
      return forAdapter(dialect, members, null).generationParameters().reasoning();
    }

    @Test
    @DisplayName("hidden reasoning, even if no upstream of its dialect knows that member")
    void hidden() {
      for (Dialect dialect : List.of(Dialect.MESSAGES, Dialect.RESPONSES)) {
        for (String members :
            List.of("'include_reasoning':false", "'reasoning':{'exclude':true}")) {
          InferenceRequest request = read(dialect, members);
          assertThat(reasoning(dialect, members))
              .isEqualTo(request.generationParameters().reasoning());
          assertThat(reasoning(dialect, members).hidden()).isTrue();
        }
      }
      assertThat(reasoning(Dialect.RESPONSES, "'reasoning':{'exclude':true,'effort':'low'}"))
          .isEqualTo(
              read(Dialect.RESPONSES, "'reasoning':{'exclude':true,'effort':'low'}")
                  .generationParameters()
                  .reasoning());
    }

    @Test
    @DisplayName("cache control, even if no upstream of its dialect knows that member")
    void cached() {
      String members = "'cache_control':{'type':'ephemeral'}";
      assertThat(forAdapter(Dialect.RESPONSES, members, null).generationParameters().cacheControl())
          .isEqualTo(json("{'type':'ephemeral'}"));
    }

    @Test
    @DisplayName("or those that a plugin around the attempt sets instead")
    void changed() {
      InferenceRequest sent =
          forAdapter(Dialect.RESPONSES, "'reasoning':{'exclude':true,'effort':'low'}", null);
      InferenceRequest changed =
          sent.toBuilder().member("reasoning", json("{'effort':'high'}")).build();
      assertThat(changed.generationParameters().reasoning().effort()).isEqualTo(Effort.HIGH);
      assertThat(changed.generationParameters().reasoning().hidden()).isTrue();
      assertThat(changed.generationParameters().dialectMembers()).isEmpty();
    }
  }
}
