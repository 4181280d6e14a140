package io.strowger.core.flow;

import static io.strowger.core.flow.Asking.answered;
import static io.strowger.core.flow.Asking.drain;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.chat.ChatDecoder;
import io.strowger.core.decode.messages.MessagesDecoder;
import io.strowger.core.decode.responses.ResponsesDecoder;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
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
    } catch (JsonCodec.MalformedJson e) {
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
          case GEMINI -> throw new AssertionError("nobody asks in it");
        };
    return Objects.requireNonNull(problems.good(read));
  }

  private static void assertBare(Call call) {
    InferenceRequest seen = call.request();
    var names = new ArrayList<String>();
    for (int i = 0; i < seen.members().size(); i++) {
      names.add(seen.members().name(i));
    }
    assertThat(names)
        .contains("temperature")
        .doesNotContainAnyElementsOf(GatewayMembers.of(seen.dialect()));
    assertThat(seen.generationParameters().others().keySet())
        .doesNotContainAnyElementsOf(GatewayMembers.of(Dialect.CHAT));
    assertThat(seen.members().toString() + seen.generationParameters().others())
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
}
