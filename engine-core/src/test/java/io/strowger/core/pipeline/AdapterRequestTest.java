package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks the requests that reach adapters of third parties, which may copy {@code members()} as
 * they are.
 */
@DisplayName("An adapter")
class AdapterRequestTest {
  private static final String GATEWAY_MEMBERS =
      """
      'model':'acme/large','provider':{'order':['alpha','beta']},'plugins':[],'route':'fallback',
      'session_id':'secret-session','trace':{'trace_id':'secret-trace'},'user':'secret-alice',
      'metadata':{'user_id':'secret-alice','k':'v'},'safety_identifier':'secret-alice',
      'debug':{'echo_upstream_body':false},'max_tool_calls':3,'preset':'secret-preset',
      'stop_server_tools_when':[{'type':'step_count_is','step_count':2}],
      'tools':[{'type':'router:datetime'}],'include_reasoning':false,'temperature':1.0,
      """;

  private static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  private static InferenceRequest requestWithGatewayMembers(Dialect dialect) {
    var problems = new Problems();
    String messages = "'messages':[{'role':'user','content':'x'}]";
    InferenceRequest read =
        switch (dialect) {
          case CHAT ->
              new ChatDecoder((e, at, p) -> {})
                  .decode(
                      json("{" + GATEWAY_MEMBERS + "'models':['acme/large']," + messages + "}"),
                      problems);
          case MESSAGES ->
              new MessagesDecoder((e, at, p) -> {})
                  .decode(
                      json(
                          "{"
                              + GATEWAY_MEMBERS
                              + "'fallbacks':[{'model':'acme/large'}],"
                              + messages
                              + "}"),
                      problems);
          case RESPONSES ->
              new ResponsesDecoder((e, at, p) -> {})
                  .decode(
                      json(
                          "{"
                              + GATEWAY_MEMBERS
                              + "'models':['acme/large'],'input':'x','reasoning':{'exclude':true}}"),
                      problems);
          case GEMINI -> throw new AssertionError("callers do not use this dialect");
        };
    return Objects.requireNonNull(problems.requireValid(read));
  }

  private static void assertNoGatewayMembers(Call call) {
    InferenceRequest received = call.request();
    var names = new ArrayList<String>();
    for (int i = 0; i < received.members().size(); i++) {
      names.add(received.members().name(i));
    }
    assertThat(names)
        .contains("temperature")
        .doesNotContainAnyElementsOf(GatewayMembers.names(received.dialect()));
    assertThat(received.generationParameters().dialectMembers().keySet())
        .doesNotContainAnyElementsOf(GatewayMembers.names(Dialect.CHAT));
    assertThat(received.members().toString() + received.generationParameters().dialectMembers())
        .doesNotContain("secret");
    assertThat(call.endUser()).startsWith("user-");
    assertThat(received.user()).isEqualTo(call.endUser());
    assertThat(received.members().object("metadata"))
        .isEqualTo(json("{'user_id':'" + call.endUser() + "','k':'v'}"));
    assertThat(received.tools()).isEmpty();
    assertThat(received.plugins()).isEmpty();
    assertThat(received.preferences()).isSameAs(ProviderPreferences.NONE);
    assertThat(received.sessionId()).isNull();
  }

  @Proves("translation.fate.gateway-only")
  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName(
      "receives no member that only the gateway reads, at the first attempt and at the next")
  void caller(Dialect dialect) {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.refuses(Given.failure(FailureKind.UNAVAILABLE));
      engine.beta.streams(text("fine"), finished());
      drain(answered(engine.serve(requestWithGatewayMembers(dialect))));
      assertNoGatewayMembers(engine.alpha.calls().getFirst());
      assertNoGatewayMembers(engine.beta.calls().getFirst());
      assertThat(engine.beta.calls().getFirst().request())
          .as("the reduced request is created once")
          .isSameAs(engine.alpha.calls().getFirst().request());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName(
      "receives no such member that a plugin adds, around the request or around the attempt")
  void plugins(Dialect dialect) {
    InferenceRequest asked = requestWithGatewayMembers(dialect);
    var received = new ArrayList<InferenceRequest>();
    var request =
        new TestInterceptor(
            "request",
            1,
            Scope.REQUEST,
            (given, chain) -> {
              received.add(given);
              return chain.proceed(
                  given.toBuilder().member("trace", json("{'span_name':'secret'}")).build());
            });
    var attempt =
        new TestInterceptor(
            "attempt",
            1,
            Scope.ATTEMPT,
            (given, chain) -> {
              received.add(given);
              return chain.proceed(
                  given.toBuilder()
                      .member("debug", json("{'echo_upstream_body':true}"))
                      .member("safety_identifier", Json.of("secret-bob"))
                      .preferences(asked.preferences())
                      .sessionId("secret")
                      .tools(asked.tools())
                      .user("secret-bob")
                      .build());
            });
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(request, attempt))) {
      engine.alpha.streams(text("fine"), finished());
      drain(answered(engine.serve(asked)));
      Call call = engine.alpha.calls().getFirst();
      assertNoGatewayMembers(call);
      assertThat(received.getFirst()).as("around the request").isSameAs(asked);
      assertThat(received.getLast().members().toString())
          .as("around the attempt")
          .doesNotContain("secret");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("receives the caller's own request object when it has no member for the gateway")
  void straight(Dialect dialect) {
    InferenceRequest plain =
        InferenceRequest.builder(dialect, json("{'model':'acme/large','temperature':1.0}"))
            .models(requestWithGatewayMembers(dialect).models())
            .messages(requestWithGatewayMembers(dialect).messages())
            .build();
    try (var engine = new ScriptedEngine()) {
      for (var provider : List.of(engine.alpha, engine.beta, engine.gamma)) {
        provider.always(call -> List.of(text("fine"), finished()));
      }
      drain(answered(engine.serve(plain)));
      var calls = new ArrayList<>(engine.alpha.calls());
      calls.addAll(engine.beta.calls());
      calls.addAll(engine.gamma.calls());
      assertThat(calls.getFirst().request()).isSameAs(plain);
    }
  }

  /**
   * Returns a request with a secret in every kind of place, and with parts of a conversation that
   * only the gateway reads.
   */
  private static InferenceRequest requestWithSecrets(Dialect dialect) {
    String text = "'SECRET'";
    String tools =
        switch (dialect) {
          case CHAT ->
              "'tools':[{'type':'function','function':{'name':'f','description':'SECRET'}}],";
          case MESSAGES ->
              "'tools':[{'name':'f','description':'SECRET','input_schema':{'type':'object'}}],";
          case RESPONSES ->
              "'tools':[{'type':'function','name':'f','description':'SECRET','parameters':{}}],";
          case GEMINI -> throw new AssertionError("callers do not use this dialect");
        };
    String gatewayMembers = GATEWAY_MEMBERS.replace("'tools':[{'type':'router:datetime'}],", tools);
    String conversation =
        switch (dialect) {
          case CHAT ->
              "'messages':[{'role':'system','content':%1$s},{'role':'assistant','content':'a','model':'secret-model',"
                  + "'reasoning_details':[{'type':'reasoning.server_tool_call','tool_name':'t',"
                  + "'arguments':'{}','result':'secret-result'}]},{'role':'user','content':%1$s}]";
          case MESSAGES ->
              "'system':%1$s,'messages':[{'role':'user','content':%1$s},{'role':'assistant','content':["
                  + "{'type':'server_tool_use','id':'s1','name':'shell','input':{'c':'secret-call'}},"
                  + "{'type':'router_shell_tool_result','tool_use_id':'s1','content':{'o':'secret-result'}}]},"
                  + "{'role':'user','content':'b'}]";
          case RESPONSES ->
              "'instructions':%1$s,'input':[{'type':'router:datetime','id':'x','call_id':'c',"
                  + "'arguments':'{}','output':'secret-result'},{'role':'user','content':%1$s}]";
          case GEMINI -> throw new AssertionError("callers do not use this dialect");
        };
    Json.Obj document = json("{" + gatewayMembers + conversation.formatted(text) + "}");
    var problems = new Problems();
    InferenceRequest read =
        switch (dialect) {
          case CHAT -> new ChatDecoder((e, at, p) -> {}).decode(document, problems);
          case MESSAGES -> new MessagesDecoder((e, at, p) -> {}).decode(document, problems);
          case RESPONSES -> new ResponsesDecoder((e, at, p) -> {}).decode(document, problems);
          case GEMINI -> throw new AssertionError("callers do not use this dialect");
        };
    return Objects.requireNonNull(problems.requireValid(read));
  }

  /** Asserts that neither the members nor the typed form of the request contain a secret. */
  private static void assertNothingSecret(Call call) {
    InferenceRequest received = call.request();
    assertThat(received.members().toString())
        .contains("temperature")
        .doesNotContain("SECRET", "secret", "router");
    assertThat(received.tools().toString()).contains("f").doesNotContain("SECRET", "secret");
    var sources = new ArrayList<String>();
    if (received.dialect() != Dialect.CHAT) {
      sources.add(Objects.requireNonNull(received.instructions()).parts().toString());
    }
    received.messages().forEach(message -> sources.add(message.source() + " " + message.parts()));
    assertThat(sources.toString()).contains("GONE").doesNotContain("SECRET", "secret", "router");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "CHAT, REQUEST",
    "MESSAGES, REQUEST",
    "RESPONSES, REQUEST",
    "CHAT, ATTEMPT",
    "MESSAGES, ATTEMPT",
    "RESPONSES, ATTEMPT"
  })
  @DisplayName(
      "that copies every member sends nothing that a plugin removed, and no member for the gateway")
  void copied(Dialect dialect, Scope scope) {
    var redactor =
        new TestInterceptor(
            "redactor",
            1,
            scope,
            (given, chain) ->
                chain.proceed(given.editTexts((text, kind) -> text.replace("SECRET", "GONE"))));
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(redactor))) {
      engine.alpha.streams(text("fine"), finished());
      drain(answered(engine.serve(requestWithSecrets(dialect))));
      assertNothingSecret(engine.alpha.calls().getFirst());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("finds the conversation among the members as long as no plugin changed it")
  void unchanged(Dialect dialect) {
    InferenceRequest asked = requestWithGatewayMembers(dialect);
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(text("fine"), finished());
      drain(answered(engine.serve(asked)));
      String name = dialect == Dialect.RESPONSES ? "input" : "messages";
      assertThat(engine.alpha.calls().getFirst().request().members().get(name))
          .isNotNull()
          .isSameAs(asked.members().get(name));
    }
  }
}
