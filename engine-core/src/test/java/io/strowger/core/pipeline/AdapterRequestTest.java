package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
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

/** What reaches adapters of third parties, who copy {@code members()} as they find them. */
@DisplayName("An adapter")
class AdapterRequestTest {
  private static final String OWN =
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

  private static InferenceRequest everything(Dialect dialect) {
    var problems = new Problems();
    String messages = "'messages':[{'role':'user','content':'x'}]";
    InferenceRequest read =
        switch (dialect) {
          case CHAT ->
              new ChatDecoder((e, at, p) -> {})
                  .decode(json("{" + OWN + "'models':['acme/large']," + messages + "}"), problems);
          case MESSAGES ->
              new MessagesDecoder((e, at, p) -> {})
                  .decode(
                      json("{" + OWN + "'fallbacks':[{'model':'acme/large'}]," + messages + "}"),
                      problems);
          case RESPONSES ->
              new ResponsesDecoder((e, at, p) -> {})
                  .decode(
                      json(
                          "{"
                              + OWN
                              + "'models':['acme/large'],'input':'x','reasoning':{'exclude':true}}"),
                      problems);
          case GEMINI -> throw new AssertionError("callers cannot send requests in the dialect it");
        };
    return Objects.requireNonNull(problems.requireValid(read));
  }

  private static void assertBare(Call call) {
    InferenceRequest seen = call.request();
    var names = new ArrayList<String>();
    for (int i = 0; i < seen.members().size(); i++) {
      names.add(seen.members().name(i));
    }
    assertThat(names)
        .contains("temperature")
        .doesNotContainAnyElementsOf(GatewayMembers.names(seen.dialect()));
    assertThat(seen.generationParameters().dialectMembers().keySet())
        .doesNotContainAnyElementsOf(GatewayMembers.names(Dialect.CHAT));
    assertThat(seen.members().toString() + seen.generationParameters().dialectMembers())
        .doesNotContain("secret");
    assertThat(call.endUser()).startsWith("user-");
    assertThat(seen.user()).isEqualTo(call.endUser());
    assertThat(seen.members().object("metadata"))
        .isEqualTo(json("{'user_id':'" + call.endUser() + "','k':'v'}"));
    assertThat(seen.tools()).isEmpty();
    assertThat(seen.plugins()).isEmpty();
    assertThat(seen.preferences()).isSameAs(ProviderPreferences.NONE);
    assertThat(seen.sessionId()).isNull();
  }

  @Proves("translation.fate.gateway-only")
  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("sees nothing that only the gateway reads, at the first attempt and at the next")
  void caller(Dialect dialect) {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.refuses(Given.failure(FailureKind.UNAVAILABLE));
      engine.beta.streams(text("fine"), finished());
      drain(answered(engine.serve(everything(dialect))));
      assertBare(engine.alpha.calls().getFirst());
      assertBare(engine.beta.calls().getFirst());
      assertThat(engine.beta.calls().getFirst().request())
          .as("made once")
          .isSameAs(engine.alpha.calls().getFirst().request());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("sees nothing of it that a plugin says, around the request or around the attempt")
  void plugins(Dialect dialect) {
    InferenceRequest asked = everything(dialect);
    var seen = new ArrayList<InferenceRequest>();
    var request =
        new Around(
            "request",
            1,
            Scope.REQUEST,
            (given, chain) -> {
              seen.add(given);
              return chain.proceed(
                  given.toBuilder().member("trace", json("{'span_name':'secret'}")).build());
            });
    var attempt =
        new Around(
            "attempt",
            1,
            Scope.ATTEMPT,
            (given, chain) -> {
              seen.add(given);
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
    try (var engine = new ScriptedEngine(null, Around.all(request, attempt))) {
      engine.alpha.streams(text("fine"), finished());
      drain(answered(engine.serve(asked)));
      Call call = engine.alpha.calls().getFirst();
      assertBare(call);
      assertThat(seen.getFirst()).as("around the request").isSameAs(asked);
      assertThat(seen.getLast().members().toString())
          .as("around the attempt")
          .doesNotContain("secret");
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("sees the caller's request itself where it says nothing for the gateway")
  void straight(Dialect dialect) {
    InferenceRequest plain =
        InferenceRequest.builder(dialect, json("{'model':'acme/large','temperature':1.0}"))
            .models(everything(dialect).models())
            .messages(everything(dialect).messages())
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

  /** A secret in every kind of place, and what the gateway alone knows of a conversation. */
  private static InferenceRequest secretive(Dialect dialect) {
    String text = "'SECRET'";
    String tools =
        switch (dialect) {
          case CHAT ->
              "'tools':[{'type':'function','function':{'name':'f','description':'SECRET'}}],";
          case MESSAGES ->
              "'tools':[{'name':'f','description':'SECRET','input_schema':{'type':'object'}}],";
          case RESPONSES ->
              "'tools':[{'type':'function','name':'f','description':'SECRET','parameters':{}}],";
          case GEMINI -> throw new AssertionError("callers cannot send requests in the dialect it");
        };
    String own = OWN.replace("'tools':[{'type':'router:datetime'}],", tools);
    String said =
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
          case GEMINI -> throw new AssertionError("callers cannot send requests in the dialect it");
        };
    Json.Obj document = json("{" + own + said.formatted(text) + "}");
    var problems = new Problems();
    InferenceRequest read =
        switch (dialect) {
          case CHAT -> new ChatDecoder((e, at, p) -> {}).decode(document, problems);
          case MESSAGES -> new MessagesDecoder((e, at, p) -> {}).decode(document, problems);
          case RESPONSES -> new ResponsesDecoder((e, at, p) -> {}).decode(document, problems);
          case GEMINI -> throw new AssertionError("callers cannot send requests in the dialect it");
        };
    return Objects.requireNonNull(problems.requireValid(read));
  }

  /** What an adapter sends that copies every member, and what the typed form says beside it. */
  private static void assertNothingSecret(Call call) {
    InferenceRequest seen = call.request();
    assertThat(seen.members().toString())
        .contains("temperature")
        .doesNotContain("SECRET", "secret", "router");
    assertThat(seen.tools().toString()).contains("f").doesNotContain("SECRET", "secret");
    var sources = new ArrayList<String>();
    if (seen.dialect() != Dialect.CHAT) {
      sources.add(Objects.requireNonNull(seen.instructions()).parts().toString());
    }
    seen.messages().forEach(message -> sources.add(message.source() + " " + message.parts()));
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
  @DisplayName("that copies every member sends nothing that a plugin took out, nor the gateway's")
  void copied(Dialect dialect, Scope scope) {
    var redactor =
        new Around(
            "redactor",
            1,
            scope,
            (given, chain) ->
                chain.proceed(given.editTexts((text, kind) -> text.replace("SECRET", "GONE"))));
    try (var engine = new ScriptedEngine(null, Around.all(redactor))) {
      engine.alpha.streams(text("fine"), finished());
      drain(answered(engine.serve(secretive(dialect))));
      assertNothingSecret(engine.alpha.calls().getFirst());
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Dialect.class,
      names = {"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("finds the conversation among the members as long as nobody changed it")
  void unchanged(Dialect dialect) {
    InferenceRequest asked = everything(dialect);
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
