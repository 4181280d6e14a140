package io.strowger.plugins.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.plugin.ServerTool.Invocation;
import io.strowger.spi.plugin.ServerTool.ToolException;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.ServerToolContract;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The tool that asks another model for advice")
class AdvisorToolTest extends ServerToolContract {
  private static final Json.Obj QUESTION = Json.object().put("question", "Is it right?").build();

  @Override
  protected ServerTool tool() {
    return new AdvisorTool();
  }

  @Override
  protected SchemaValidator schemaValidator() {
    return new JsonSchemaValidator();
  }

  @Override
  protected FakeChain chain() {
    return FakeChain.of(new Event.CompleteAnswer(Given.answer("It is.")));
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(QUESTION);
  }

  @Override
  protected List<Json.Obj> parameters() {
    return List.of(Json.object().put("model", "acme/wise").put("forward_transcript", true).build());
  }

  private static Json run(ServerTool tool, Invocation call, FakeChain chain) {
    try {
      Json result = tool.run(call, chain);
      chain.assertUsedCorrectly();
      return result;
    } catch (ToolException failure) {
      throw new AssertionError(failure);
    }
  }

  private static Invocation invocation(Json.Obj parameters) {
    return new Invocation(QUESTION, parameters, Given.request("acme/large", "Check 2+2=4"));
  }

  private static String text(Message message) {
    return ((Part.Text) message.parts().getFirst()).text().text();
  }

  @Proves("plugins.loop.advisor")
  @Test
  @DisplayName(
      "asks the model of the declaration with its instructions and limits, and returns the advice")
  void advice() {
    FakeChain chain = chain();
    Json.Obj declared =
        Json.object()
            .put("name", "checker")
            .put("model", "acme/wise:nitro")
            .put("instructions", "Be strict.")
            .put("temperature", Json.of(1))
            .put("reasoning", Json.object().put("effort", "high").build())
            .put("max_completion_tokens", 100)
            .put("max_tool_calls", 3)
            .build();
    assertThat(run(new AdvisorTool(), invocation(declared), chain).toString())
        .isEqualTo("{\"status\":\"ok\",\"advice\":\"It is.\",\"model\":\"acme/wise\"}");
    InnerCall call = chain.innerCalls().getFirst();
    assertThat(call.name()).isEqualTo("router:advisor checker");
    InferenceRequest inner = call.request();
    assertThat(inner.models().toString()).isEqualTo("[acme/wise:nitro]");
    assertThat(inner.maxOutputTokens()).isEqualTo(100);
    assertThat(inner.member("temperature")).isEqualTo(Json.of(1));
    assertThat(inner.member("max_tool_calls")).isEqualTo(Json.of(3));
    assertThat(String.valueOf(inner.member("reasoning"))).contains("high");
    assertThat(inner.messages())
        .extracting(AdvisorToolTest::text)
        .containsExactly("Be strict.", "Is it right?");
    assertThat(inner.tools()).isEmpty();
  }

  @Test
  @DisplayName("asks the request's own model by default, with the conversation if declared")
  void transcript() {
    FakeChain chain = chain();
    run(
        new AdvisorTool(),
        invocation(Json.object().put("forward_transcript", true).build()),
        chain);
    InferenceRequest inner = chain.innerCalls().getFirst().request();
    assertThat(inner.models().toString()).isEqualTo("[acme/large]");
    assertThat(inner.messages()).hasSize(3);
    assertThat(text(inner.messages().get(1))).contains("[user]\nCheck 2+2=4");
  }

  @Proves("plugins.loop.advisor")
  @Test
  @DisplayName(
      "returns an error if the model fails or is silent, and marks advice that was cut off")
  void failures() {
    FakeChain failing = FakeChain.of(Event.Failed.upstream(Given.failure(FailureKind.OVERLOADED)));
    Json.Obj failed = (Json.Obj) run(new AdvisorTool(), invocation(Json.Obj.EMPTY), failing);
    assertThat(failed.text("status")).isEqualTo("error");
    assertThat(failed.text("error")).isNotBlank();
    FakeChain silent = FakeChain.of(new Event.CompleteAnswer(Given.answer("")));
    assertThat(run(new AdvisorTool(), invocation(Json.Obj.EMPTY), silent).toString())
        .contains("\"error\":\"the model said nothing\"");
    var cut =
        new Answer(
            List.of(new Part.Text("It")), StopReason.LENGTH, "length", null, Dialect.CHAT, null);
    assertThat(
            run(
                    new AdvisorTool(),
                    invocation(Json.Obj.EMPTY),
                    FakeChain.of(new Event.CompleteAnswer(cut)))
                .toString())
        .contains("\"advice\":\"It\"", "\"truncated\":true");
  }

  @Test
  @DisplayName("makes inner calls, and so is not offered to inner calls")
  void depth() {
    assertThat(new AdvisorTool().makesInnerCalls()).isTrue();
    assertThat(new SubagentTool().makesInnerCalls()).isTrue();
  }

  @Proves("plugins.loop.subagent")
  @Test
  @DisplayName("gives a subagent its declared tools, but never itself, and the inherited functions")
  void subagent() throws Exception {
    FakeChain chain =
        FakeChain.of(
            new Event.CompleteAnswer(
                new Answer(
                    List.of(
                        new Part.Text("I need the weather."),
                        new Part.ToolCall(
                            "c", "weather", Json.of("{\"a\":1}"), Json.Obj.EMPTY, null)),
                    StopReason.TOOL_CALLS,
                    "tool_calls",
                    null,
                    Dialect.CHAT,
                    null)));
    Json.Arr tools =
        Json.array(
            Json.object().put("type", "router:datetime").put("timezone", "Europe/Oslo").build(),
            Json.object().put("type", "router:subagent").build());
    Json.Obj declared =
        Json.object()
            .put("tools", tools)
            .put("inherit_functions", true)
            .put("inherited_function_names", Json.array(Json.of("weather")))
            .build();
    InferenceRequest request =
        Given.request("acme/large", "Plan it").toBuilder()
            .tools(
                List.of(
                    new Tool.Function("weather", "w", null, Json.Obj.EMPTY, null),
                    new Tool.Function("other", "o", null, Json.Obj.EMPTY, null)))
            .build();
    Json.Obj task = Json.object().put("task", "Plan").build();
    Json result = new SubagentTool().run(new Invocation(task, declared, request), chain);
    assertThat(chain.innerCalls().getFirst().request().tools())
        .containsExactly(
            new Tool.Server(
                "router:datetime", Json.object().put("timezone", "Europe/Oslo").build(), null),
            new Tool.Function("weather", "w", null, Json.Obj.EMPTY, null));
    assertThat(result.toString())
        .isEqualTo(
            "{\"status\":\"ok\",\"outcome\":\"I need the weather.\",\"function_calls\":"
                + "[{\"name\":\"weather\",\"arguments\":\"{\\\"a\\\":1}\"}],\"model\":\"acme/large\"}");
  }
}
