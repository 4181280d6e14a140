package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.ServerTool;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contract of server tools")
class ServerToolContractTest {
  /** The action of a tool. */
  private interface Action {
    Json run(ServerTool.Invocation call, Interceptor.Chain chain) throws ServerTool.ToolException;
  }

  private record Tool(String type, Action action) implements ServerTool {
    @Override
    public Spec spec() {
      Json.Obj word = Json.object().put("type", "string").build();
      return new Spec(
          type,
          "Says a word.",
          Json.object()
              .put("type", "object")
              .put("properties", Json.object().put("word", word).build())
              .build());
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) throws ToolException {
      return action.run(call, chain);
    }
  }

  private static final class ToolContract extends ServerToolContract {
    private final ServerTool tool;

    ToolContract(ServerTool tool) {
      this.tool = tool;
    }

    @Override
    protected ServerTool tool() {
      return tool;
    }

    @Override
    protected List<Json.Obj> validArguments() {
      return List.of(Json.object().put("word", "yes").build());
    }
  }

  private static ServerToolContract contract(Action action) {
    return new ToolContract(new Tool("acme:word", action));
  }

  @Test
  @DisplayName("accepts one that returns JSON or reports what is wrong")
  void accepts() {
    ServerToolContract contract =
        contract(
            (call, chain) -> {
              if (call.arguments().get("word") instanceof Json.Str word) {
                chain.hold(new Usd(1), "saying").settle(Usd.ZERO);
                return word;
              }
              throw new ServerTool.ToolException("word must be a string");
            });
    assertThatCode(
            () -> {
              contract.spec();
              contract.works();
              contract.withoutArguments();
              contract.odd();
              contract.failingChain();
            })
        .doesNotThrowAnyException();
  }

  private static String word(ServerTool.Invocation call) {
    return Objects.requireNonNull(call.arguments().text("word"));
  }

  @Test
  @DisplayName("refuses one that throws, fails without a message, or never works")
  void refuses() {
    assertThatThrownBy(contract((call, chain) -> Json.of(word(call).length()))::odd)
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(
            contract(
                    (call, chain) -> {
                      throw new ServerTool.ToolException(" ");
                    })
                ::withoutArguments)
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(
            contract(
                    (call, chain) -> {
                      throw new ServerTool.ToolException("never works");
                    })
                ::works)
        .isInstanceOf(AssertionError.class);
  }

  @Test
  @DisplayName("refuses one that leaves a hold open")
  void holds() {
    assertThatThrownBy(
            contract(
                    (call, chain) -> {
                      chain.hold(new Usd(1), "saying");
                      return Json.NULL;
                    })
                ::works)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("neither settled nor released");
  }

  @Test
  @DisplayName("refuses a type that does not have an owner and a name")
  void types() {
    for (String type : List.of("word", ":word", "acme:", "a b:c")) {
      assertThatThrownBy(new ToolContract(new Tool(type, (call, chain) -> Json.NULL))::spec)
          .as(type)
          .isInstanceOf(AssertionError.class);
    }
  }
}
