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
 * One gateway over one scripted upstream of the chat dialect. A token of the prompt costs 1,000
 * nanodollars, one of the output 2,000; requests ask for at most {@link #CAP} tokens.
 */
final class Scene implements AutoCloseable {
  static final int CAP = 64;
  static final long PROMPT_PRICE = 1_000;
  static final long OUTPUT_PRICE = 2_000;

  private static final String WATCHDOG = "strowger-watchdog";

  /** How often the watchdog looks. */
  private static final Duration A_LOOK = Duration.ofMillis(10);

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

  final TestAmbient time = TestAmbient.at("2026-01-05T12:00:00Z");
  final ScriptedTransport upstream = new ScriptedTransport();
  private final ConcurrentLinkedQueue<CallRecord> records = new ConcurrentLinkedQueue<>();
  private final BookLedger ledger = new BookLedger(new MemoryLedgerStore(), time);
  private final Gateway gateway;
  private Cancellation cancellation = new Cancellation();
  boolean caches; // answers may come from the response cache
  boolean plugged; // a plugin stands around the requests

  Scene() {
    gateway =
        Gateway.builder(
                ConfigReader.standard().read(CONFIG.getBytes(StandardCharsets.UTF_8)).orThrow())
            .provider(new OpenAiChatFactory(upstream))
            .sink(records::add)
            .ledger(ledger)
            .plugins(Plugins.none().add(new PassingPlugin()))
            .collectedOutputBytes(1) // and what each request may collect without being counted
            .ambient(time)
            .build();
  }

  /** What a caller got. */
  record Heard(int status, String body) {}

  /** Time passes once the watchdog has looked at what was before. */
  void pass(Duration time) {
    this.time.awaitSleep(WATCHDOG);
    this.time.advance(time);
  }

  /** The upstream is silent until it is given up. */
  Step silence() {
    return new Step.Silence(() -> pass(Duration.ofSeconds(61)));
  }

  /** The upstream is silent until the total deadline, and little longer: then nobody reads. */
  Step takesTooLong() {
    var passed = new AtomicBoolean();
    return new Step.Silence(() -> pass(passed.getAndSet(true) ? A_LOOK : Duration.ofSeconds(3601)));
  }

  /** The upstream is silent, and the request is ended from outside. */
  Step ends(Cancellation.Cause cause) {
    return new Step.Silence(() -> cancellation.cancel(cause));
  }

  Heard ask(String path, boolean streaming, boolean pauses) {
    cancellation = new Cancellation();
    String asked =
        path.equals("/responses")
            ? "\"input\":\"Hello\",\"max_output_tokens\":" + CAP
            : "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":" + CAP;
    asked += plugged ? ",\"plugins\":[{\"id\":\"" + PassingPlugin.ID + "\"}]" : "";
    String body = "{\"model\":\"acme/large\",\"stream\":%s,%s}".formatted(streaming, asked);
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
                          case "x-router-cache" -> caches ? "true" : null;
                          default -> null;
                        },
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    cancellation));
    var out = new ByteArrayOutputStream();
    boolean paused = false;
    try (WireBody answer = response.body()) {
      while (answer.writeNext(out)) {
        if (pauses && !paused && out.toString(StandardCharsets.UTF_8).contains("12345678")) {
          paused = true;
          pause();
        }
      }
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return new Heard(response.status(), out.toString(StandardCharsets.UTF_8));
  }

  /** The upstream takes its time, and the watchdog looks before and after. */
  Step looks(int seconds) {
    return new Step.Meanwhile(
        () -> {
          pass(A_LOOK);
          pass(A_LOOK);
          pass(Duration.ofSeconds(seconds));
          time.awaitSleep(WATCHDOG);
        });
  }

  /** The caller does not read: the watchdog looks once and sees it, and again when it is long. */
  private void pause() {
    for (int i = 0; i < 3; i++) {
      pass(Duration.ofSeconds(61));
    }
    time.awaitSleep(WATCHDOG);
  }

  /** The record of the last request, whose bill is what the books have for it. */
  CallRecord record() {
    assertThat(records).hasSize(1);
    return records.remove();
  }

  Ledger.Balance balance() {
    return ledger.balance(Payer.account(List.of()), Period.LIFETIME, time.now());
  }

  Gateway gateway() {
    return gateway;
  }

  @Override
  public void close() {
    gateway.close();
    ledger.close();
    time.assertNoThreadsLeft();
  }
}
