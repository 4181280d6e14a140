package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.meter.PromptSize;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Tool;
import io.strowger.spi.model.Usage;
import io.strowger.spi.routing.ModelRef;
import io.strowger.tck.Given;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** $1 a million tokens, a cent a search; a prompt of "hello" and one tool; 9 tokens out. */
@DisplayName("A search tool that is handed on")
class SearchBillsTest {
  private static Endpoint endpoint(String dollarsPerSearch) {
    Pricing tokens = Given.perMillion("1", "1");
    Pricing.Builder pricing =
        Pricing.builder()
            .set(Price.PROMPT, new UnitPrice(tokens.picos(Price.PROMPT)))
            .set(Price.COMPLETION, new UnitPrice(tokens.picos(Price.COMPLETION)))
            .set(Price.WEB_SEARCH, UnitPrice.ofDollars(new BigDecimal(dollarsPerSearch)));
    return Endpoint.builder(MODEL, Given.provider("alpha"))
        .pricing(pricing.build())
        .contextLength(128_000)
        .build();
  }

  private static InferenceRequest ask(Json.Obj tool) {
    return ask(new Tool.Unknown("web_search_20250305", tool), Dialect.MESSAGES);
  }

  private static InferenceRequest ask(Tool tool, Dialect dialect) {
    return InferenceRequest.builder(dialect, Json.Obj.EMPTY)
        .models(List.of(ModelRef.parse(MODEL)))
        .messages(List.of(Message.text(Message.Role.USER, "hello")))
        .tools(List.of(tool))
        .parameters(dialect == Dialect.MESSAGES ? 0 : Parameter.WEB_SEARCH_OPTIONS.bit())
        .maxOutputTokens(9)
        .streaming(true)
        .build();
  }

  private static Json.Obj search(long maxUses) {
    Json.Obj.Builder tool =
        Json.object().put("type", "web_search_20250305").put("name", "web_search");
    return maxUses < 0 ? tool.build() : tool.put("max_uses", maxUses).build();
  }

  /** As many tokens as the hold covers, and so many searches. */
  private static Event used(InferenceRequest request, int searches) {
    long prompt = PromptSize.of(request).maxTokens();
    return new Event.UsageReport(
        Usage.builder().freshInput(prompt).outputText(9).searches(searches).build(), null);
  }

  @ParameterizedTest(name = "max_uses {0}: {1}")
  @CsvSource({"-1, 5", "0, 0", "1, 1", "3, 3", "12, 12"})
  @DisplayName("is billed what was held, when all of it is used, and not a nanodollar beyond")
  void golden(int maxUses, int searches) {
    try (var exchange = new ScriptedEngine("1", endpoint("0.01"))) {
      InferenceRequest request = ask(search(maxUses));
      exchange.alpha.streams(started(), text("x"), emit(used(request, searches)), finished());
      var reply = answered(exchange.serve(request));
      long held = exchange.balance().held().nanos();
      drain(reply);
      assertThat(exchange.balance()).isEqualTo(settled(held));
      assertThat(held % 10_000_000).as("tokens, in nanodollars").isBetween(1L, 200_000L);
      assertThat(held / 10_000_000).as("searches").isEqualTo(searches);
    }
  }

  @ParameterizedTest(name = "max_uses {0}: {1}")
  @CsvSource({"-1, 5", "1, 1", "12, 12"})
  @DisplayName("is held and billed so too where a plugin left it to an upstream of any dialect")
  void leftToUpstream(int maxUses, int searches) {
    for (Dialect dialect : List.of(Dialect.CHAT, Dialect.RESPONSES)) {
      try (var exchange = new ScriptedEngine("1", endpoint("0.01"))) {
        Json.Obj parameters =
            maxUses < 0 ? Json.Obj.EMPTY : Json.object().put("max_uses", maxUses).build();
        InferenceRequest request = ask(Tool.Server.upstreamSearch(parameters), dialect);
        exchange.alpha.streams(started(), text("x"), emit(used(request, searches)), finished());
        var reply = answered(exchange.serve(request));
        long held = exchange.balance().held().nanos();
        drain(reply);
        assertThat(exchange.balance()).isEqualTo(settled(held));
        assertThat(held / 10_000_000).as("searches").isEqualTo(searches);
        assertThat(exchange.alpha.calls().getFirst().request().tools().getFirst())
            .isEqualTo(Tool.Server.upstreamSearch(Json.object().put("max_uses", searches).build()));
      }
    }
  }

  @Test
  @DisplayName("is told how often it may be used, when the caller did not say, and a search costs")
  void capped() {
    try (var exchange = new ScriptedEngine(null, endpoint("0.01"))) {
      exchange.alpha.always(call -> List.of(text("x"), finished()));
      drain(answered(exchange.serve(ask(search(-1)))));
      drain(answered(exchange.serve(ask(search(7)))));
      assertThat(exchange.alpha.calls())
          .extracting(call -> call.request().tools().get(0).source())
          .containsExactly(search(5), search(7));
    }
  }

  @Test
  @DisplayName("leaves as it came where searches cost nothing")
  void free() {
    try (var exchange = new ScriptedEngine(null, endpoint("0"))) {
      exchange.alpha.always(call -> List.of(text("x"), finished()));
      InferenceRequest request = ask(search(-1));
      drain(answered(exchange.serve(request)));
      assertThat(exchange.alpha.calls().get(0).request()).isSameAs(request);
    }
  }

  @Test
  @DisplayName("is refused with 402 where its searches do not fit, and nobody is called")
  void tooDear() {
    try (var exchange = new ScriptedEngine("0.05", endpoint("0.01"))) {
      var refused = refused(exchange.serve(ask(search(-1))));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
      assertThat(exchange.alpha.calls()).isEmpty();
      assertThat(exchange.balance().held()).isEqualTo(Usd.ZERO);
    }
  }
}
