package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
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

/**
 * Tests the hold and the bill for searches of the upstream. All tests use $1 for a million tokens,
 * $0.01 for a search unless a test says otherwise, the prompt "hello", one tool and 9 output
 * tokens.
 */
@DisplayName("Searches of the upstream")
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

  private static InferenceRequest searchRequest(Json.Obj tool) {
    return searchRequest(new Tool.Unknown("web_search_20250305", tool), Dialect.MESSAGES);
  }

  private static InferenceRequest searchRequest(Tool tool, Dialect dialect) {
    return InferenceRequest.builder(dialect, Json.Obj.EMPTY)
        .models(List.of(ModelRef.parse(MODEL)))
        .messages(List.of(Message.text(Message.Role.USER, "hello")))
        .tools(List.of(tool))
        .parameters(dialect == Dialect.MESSAGES ? 0 : Parameter.WEB_SEARCH_OPTIONS.bit())
        .maxOutputTokens(9)
        .streaming(true)
        .build();
  }

  private static Json.Obj searchTool(long maxUses) {
    Json.Obj.Builder tool =
        Json.object().put("type", "web_search_20250305").put("name", "web_search");
    return maxUses < 0 ? tool.build() : tool.put("max_uses", maxUses).build();
  }

  /** Returns a usage report with all tokens that the hold covers and this number of searches. */
  private static Event fullUsage(InferenceRequest request, int searches) {
    long prompt = PromptSize.of(request).maxTokens();
    return new Event.UsageReport(
        Usage.builder().freshInput(prompt).outputText(9).searches(searches).build(), null);
  }

  @ParameterizedTest(name = "max_uses {0}: {1}")
  @CsvSource({"-1, 5", "0, 0", "1, 1", "3, 3", "12, 12"})
  @DisplayName("are billed exactly the hold when all of it is used")
  void billEqualsHold(int maxUses, int searches) {
    try (var engine = new ScriptedEngine("1", endpoint("0.01"))) {
      InferenceRequest request = searchRequest(searchTool(maxUses));
      engine.alpha.streams(started(), text("x"), emit(fullUsage(request, searches)), finished());
      var reply = answered(engine.serve(request));
      long held = engine.balance().held().nanos();
      drain(reply);
      assertThat(engine.balance()).isEqualTo(settled(held));
      assertThat(held % 10_000_000).as("tokens, in nanodollars").isBetween(1L, 200_000L);
      assertThat(held / 10_000_000).as("searches").isEqualTo(searches);
    }
  }

  @ParameterizedTest(name = "max_uses {0}: {1}")
  @CsvSource({"-1, 5", "1, 1", "12, 12"})
  @DisplayName(
      "are held for and billed in the same way when a plugin leaves the search to the upstream, in"
          + " any dialect")
  void leftToUpstream(int maxUses, int searches) {
    for (Dialect dialect : List.of(Dialect.CHAT, Dialect.RESPONSES)) {
      try (var engine = new ScriptedEngine("1", endpoint("0.01"))) {
        Json.Obj parameters =
            maxUses < 0 ? Json.Obj.EMPTY : Json.object().put("max_uses", maxUses).build();
        InferenceRequest request = searchRequest(Tool.Server.upstreamSearch(parameters), dialect);
        engine.alpha.streams(started(), text("x"), emit(fullUsage(request, searches)), finished());
        var reply = answered(engine.serve(request));
        long held = engine.balance().held().nanos();
        drain(reply);
        assertThat(engine.balance()).isEqualTo(settled(held));
        assertThat(held / 10_000_000).as("searches").isEqualTo(searches);
        assertThat(engine.alpha.calls().getFirst().request().tools().getFirst())
            .isEqualTo(Tool.Server.upstreamSearch(Json.object().put("max_uses", searches).build()));
      }
    }
  }

  @Test
  @DisplayName("are limited in the request when the caller set no limit and searches have a price")
  void capped() {
    try (var engine = new ScriptedEngine(null, endpoint("0.01"))) {
      engine.alpha.always(call -> List.of(text("x"), finished()));
      drain(answered(engine.serve(searchRequest(searchTool(-1)))));
      drain(answered(engine.serve(searchRequest(searchTool(7)))));
      assertThat(engine.alpha.calls())
          .extracting(call -> call.request().tools().get(0).source())
          .containsExactly(searchTool(5), searchTool(7));
    }
  }

  @Test
  @DisplayName("are requested unchanged when they are free")
  void free() {
    try (var engine = new ScriptedEngine(null, endpoint("0"))) {
      engine.alpha.always(call -> List.of(text("x"), finished()));
      InferenceRequest request = searchRequest(searchTool(-1));
      drain(answered(engine.serve(request)));
      assertThat(engine.alpha.calls().get(0).request()).isSameAs(request);
    }
  }

  @Test
  @DisplayName(
      "are refused with 402 when the budget does not cover them, and no upstream is called")
  void tooDear() {
    try (var engine = new ScriptedEngine("0.05", endpoint("0.01"))) {
      var refused = refused(engine.serve(searchRequest(searchTool(-1))));
      assertThat(refused.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
      assertThat(engine.alpha.calls()).isEmpty();
      assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
    }
  }
}
