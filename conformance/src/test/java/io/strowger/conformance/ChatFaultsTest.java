package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests a whole gateway over real HTTP, with a first provider that misbehaves and a second that
 * does not.
 */
@DisplayName("When a provider misbehaves")
class ChatFaultsTest {
  private static final Duration COMMENT_INTERVAL = Duration.ofMillis(20);
  private static final String ERROR = "{\"error\":{\"message\":\"boom\",\"code\":500}}";

  private final TestAmbient ambient = TestAmbient.realTime();

  /**
   * The gateway's time, which stands still unless it is advanced: a provider that answers at once
   * is never late.
   */
  private final TestAmbient time = TestAmbient.at("2026-01-05T12:00:00Z");

  private final SimulatedUpstream bad = SimulatedUpstream.start(ambient);
  private final SimulatedUpstream good = SimulatedUpstream.start(ambient);
  private final Gateway gateway;

  ChatFaultsTest() {
    good.script("large", Script.answer("all is well"));
    byte[] config =
        Fixtures.twoProviders(bad.baseUri().toString(), good.baseUri().toString())
            .getBytes(StandardCharsets.UTF_8);
    gateway =
        Gateway.builder(ConfigReader.standard().read(config).orThrow())
            .provider(new OpenAiChatFactory())
            .ambient(time)
            .build();
  }

  @AfterEach
  void nothingIsLeft() {
    Ledger.Balance account =
        gateway.ledger().balance(Payer.account(List.of()), Period.LIFETIME, time.now());
    assertThat(account.held()).as("held").isEqualTo(Charge.ZERO);
    gateway.close();
    bad.close();
    good.close();
    time.assertNoThreadsLeft();
    ambient.assertNoThreadsLeft();
  }

  private record TestResponse(int status, String body) {}

  private TestResponse post(String body) throws IOException {
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    "/chat/completions",
                    "",
                    name ->
                        name.equalsIgnoreCase("Authorization")
                            ? "Bearer " + Fixtures.APP_KEY
                            : null,
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    }
    return new TestResponse(response.status(), out.toString(StandardCharsets.UTF_8));
  }

  private static String ask(boolean streaming) {
    return """
    {"model": "acme/large", "stream": %s, "provider": {"order": ["bad", "good"]},
     "messages": [{"role": "user", "content": "Hello"}]}\
    """
        .formatted(streaming);
  }

  private void misbehave(ScriptedFault scriptedFault) {
    bad.script(
        "large",
        Script.builder().text("this is half of it").chunks(4).fault(scriptedFault).build());
    if (scriptedFault instanceof ScriptedFault.Stall
        || scriptedFault instanceof ScriptedFault.Drip) {
      ambient.start("hurry", this::advanceUntilClosed);
    }
  }

  /**
   * Advances the gateway's time after the first request, until the gateway closes the connection.
   */
  private void advanceUntilClosed() {
    try {
      assertThat(bad.awaitRequests(1, Duration.ofSeconds(20)))
          .as("the upstream was called")
          .isTrue();
      for (int i = 0; i < 400 && !bad.awaitClientGone(Duration.ofMillis(50)); i++) {
        time.advance(Duration.ofMillis(20));
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  static Stream<ScriptedFault> beforeContent() {
    return Stream.of(
        new ScriptedFault.RawResponse(429, Map.of("Retry-After", "3"), ERROR),
        new ScriptedFault.RawResponse(500, Map.of(), "<html>oops</html>"),
        new ScriptedFault.RawResponse(503, Map.of(), ""),
        new ScriptedFault.RawResponse(401, Map.of(), ERROR),
        new ScriptedFault.RawResponse(404, Map.of(), ERROR),
        new ScriptedFault.Cut(ScriptedFault.BEFORE_HEAD),
        new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD),
        new ScriptedFault.CutInside(ScriptedFault.BEFORE_HEAD),
        new ScriptedFault.CutInside(ScriptedFault.AFTER_HEAD),
        new ScriptedFault.Garbage(ScriptedFault.BEFORE_HEAD),
        new ScriptedFault.Garbage(ScriptedFault.AFTER_HEAD),
        new ScriptedFault.ErrorFrame(ScriptedFault.AFTER_HEAD, ERROR),
        new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD),
        new ScriptedFault.Stall(ScriptedFault.AFTER_HEAD),
        new ScriptedFault.Drip(ScriptedFault.AFTER_HEAD, COMMENT_INTERVAL));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("beforeContent")
  @DisplayName(
      "before the first content of a stream, the next provider answers and the caller sees nothing"
          + " of the first")
  void streamFallsBack(ScriptedFault scriptedFault) throws IOException {
    misbehave(scriptedFault);
    TestResponse response = post(ask(true));
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).doesNotContain("half", "error").endsWith("data: [DONE]\n\n");
    assertThat(good.requests()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("beforeContent")
  @DisplayName("in an answer that is not streamed, the next provider answers")
  void plainFallsBack(ScriptedFault scriptedFault) throws IOException {
    misbehave(scriptedFault);
    TestResponse response = post(ask(false));
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).contains("all is well").doesNotContain("half");
    assertThat(good.requests()).isEqualTo(1);
  }

  static Stream<ScriptedFault> afterContent() {
    return Stream.of(
        new ScriptedFault.Cut(1),
        new ScriptedFault.CutInside(1),
        new ScriptedFault.Garbage(1),
        new ScriptedFault.ErrorFrame(1, ERROR),
        new ScriptedFault.Stall(1),
        new ScriptedFault.Drip(1, COMMENT_INTERVAL),
        new ScriptedFault.Unfinished());
  }

  @Proves("routing.fallback.never")
  @ParameterizedTest(name = "{0}")
  @MethodSource("afterContent")
  @DisplayName(
      "after the first content, the stream ends with the error and no other provider is called")
  void endsInBand(ScriptedFault scriptedFault) throws IOException {
    misbehave(scriptedFault);
    TestResponse response = post(ask(true));
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).contains("this").contains("\"finish_reason\":\"error\"");
    assertThat(response.body().split("\"error\":\\{")).hasSize(2);
    assertThat(good.requests()).isZero();
  }

  @Test
  @DisplayName("and so does every other provider, the caller gets one error that names them all")
  void allFail() throws IOException {
    misbehave(new ScriptedFault.RawResponse(500, Map.of(), ERROR));
    good.script("large", Script.failing(new ScriptedFault.Cut(ScriptedFault.BEFORE_HEAD)));
    TestResponse response = post(ask(true));
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.body())
        .contains("\"previous_errors\"", "\"Bad\"", "\"Good\"", "\"temporarily_unavailable\"")
        .doesNotContain("boom");
  }
}
