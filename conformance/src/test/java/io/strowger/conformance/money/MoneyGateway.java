package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.money.ScriptedTransport.Step;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.Plugins;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A gateway with one scripted upstream of the chat dialect. A prompt token costs 1,000 nanodollars,
 * an output token 2,000; requests ask for at most {@link #MAX_OUTPUT_TOKENS} of them.
 */
final class MoneyGateway implements AutoCloseable {
  static final int MAX_OUTPUT_TOKENS = 64;
  static final long PROMPT_PRICE = 1_000;
  static final long OUTPUT_PRICE = 2_000;

  /** The content after which a caller that pauses stops reading. */
  static final String PAUSE_AFTER = "12345678";

  private static final String WATCHDOG = "strowger-watchdog";

  /** The period of the watchdog. */
  private static final Duration WATCHDOG_PERIOD = Duration.ofMillis(10);

  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";

  private static final String CONFIG =
      """
      { "timeouts": { "first_content_ms": 86400000, "stream_idle_ms": 60000, "total_ms": 3600000 },
        "providers": [ { "slug": "alpha", "name": "Alpha Provider", "protocol": "openai-chat",
                         "base_url": "http://alpha.test/v1" } ],
        "models": [ { "id": "acme/large", "endpoints": [
            { "provider": "alpha", "upstream_model": "m",
              "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
        "keys": [ { "name": "app", "key": "%s", "limit": "1000" } ] }
      """
          .formatted(KEY);

  final TestAmbient ambient = TestAmbient.at("2026-01-05T12:00:00Z");
  final ScriptedTransport upstream = new ScriptedTransport();
  private final ConcurrentLinkedQueue<CallRecord> records = new ConcurrentLinkedQueue<>();
  private final BookLedger ledger = new BookLedger(new MemoryLedgerStore(), ambient);
  private final Gateway gateway;
  private Cancellation cancellation = new Cancellation();
  boolean usesCache; // answers may come from the response cache
  boolean usesPlugin; // requests go through the plugin

  MoneyGateway() {
    gateway =
        Gateway.builder(
                ConfigReader.standard().read(CONFIG.getBytes(StandardCharsets.UTF_8)).orThrow())
            .provider(new OpenAiChatFactory(upstream))
            .sink(records::add)
            .ledger(ledger)
            .plugins(Plugins.none().add(new WordRefusingPlugin()))
            .collectedOutputBytes(1) // only the uncounted first 64 KiB of each request
            .ambient(ambient)
            .build();
  }

  /** The response that a caller got. */
  record Response(int status, String body) {}

  /** Advances the clock, once the watchdog has checked the present state and sleeps. */
  void advanceClock(Duration duration) {
    ambient.awaitSleep(WATCHDOG);
    ambient.advance(duration);
  }

  /** Returns a step in which the upstream is silent until the gateway gives it up. */
  Step silence() {
    return new Step.Silence(() -> advanceClock(Duration.ofSeconds(61)));
  }

  /**
   * Returns a step in which the upstream is silent until the total deadline has passed; after the
   * first wait, the clock moves by one period of the watchdog.
   */
  Step silenceUntilDeadline() {
    var passed = new AtomicBoolean();
    return new Step.Silence(
        () -> advanceClock(passed.getAndSet(true) ? WATCHDOG_PERIOD : Duration.ofSeconds(3601)));
  }

  /** Returns a step in which the upstream is silent and the request is cancelled. */
  Step cancels(Cancellation.Cause cause) {
    return new Step.Silence(() -> cancellation.cancel(cause));
  }

  /**
   * Sends a request and reads its response.
   *
   * @param pauses whether the caller stops reading for some time after {@link #PAUSE_AFTER}
   */
  Response ask(String path, boolean streaming, boolean pauses) {
    cancellation = new Cancellation();
    String input =
        path.equals("/responses")
            ? "\"input\":\"Hello\",\"max_output_tokens\":" + MAX_OUTPUT_TOKENS
            : "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":"
                + MAX_OUTPUT_TOKENS;
    input += usesPlugin ? ",\"plugins\":[{\"id\":\"" + WordRefusingPlugin.ID + "\"}]" : "";
    String body = "{\"model\":\"acme/large\",\"stream\":%s,%s}".formatted(streaming, input);
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    path,
                    "",
                    name ->
                        switch (name.toLowerCase(Locale.ROOT)) {
                          case "authorization" -> "Bearer " + KEY;
                          case "x-router-cache" -> usesCache ? "true" : null;
                          default -> null;
                        },
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    cancellation));
    var out = new ByteArrayOutputStream();
    boolean paused = false;
    try (WireBody answer = response.body()) {
      while (answer.writeNext(out)) {
        if (pauses && !paused && out.toString(StandardCharsets.UTF_8).contains(PAUSE_AFTER)) {
          paused = true;
          pause();
        }
      }
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return new Response(response.status(), out.toString(StandardCharsets.UTF_8));
  }

  /** Returns a step in which time passes and the watchdog runs before and after it. */
  Step timePasses(int seconds) {
    return new Step.RunTask(
        () -> {
          advanceClock(WATCHDOG_PERIOD);
          advanceClock(WATCHDOG_PERIOD);
          advanceClock(Duration.ofSeconds(seconds));
          ambient.awaitSleep(WATCHDOG);
        });
  }

  /** Lets time pass while the caller does not read, with several runs of the watchdog. */
  private void pause() {
    for (int i = 0; i < 3; i++) {
      advanceClock(Duration.ofSeconds(61));
    }
    ambient.awaitSleep(WATCHDOG);
  }

  /** Removes and returns the record of the last request. */
  CallRecord record() {
    assertThat(records).hasSize(1);
    return records.remove();
  }

  Ledger.Balance balance() {
    return ledger.balance(Payer.account(List.of()), Period.LIFETIME, ambient.now());
  }

  Gateway gateway() {
    return gateway;
  }

  @Override
  public void close() {
    gateway.close();
    ledger.close();
    ambient.assertNoThreadsLeft();
  }
}
