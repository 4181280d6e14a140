package io.strowger.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A gateway with a faulty and a healthy upstream. Each cell has its own faulty providers for each
 * {@link OtherEndpoint}, since the gateway remembers the failures of a provider.
 */
final class FaultMatrixGateway implements AutoCloseable {
  static final String ANSWER = "all is well";
  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Timeouts that only pass when a test moves the clock. */
  private static final String LONG_TIMEOUTS =
      "{\"first_content_ms\":60000,\"stream_idle_ms\":60000,\"total_ms\":86400000}";

  /**
   * Timeouts under the real clock: a stream that is too slow is cut after a window of two seconds.
   * The slow drip of the matrix lasts longer than that; the healthy upstream answers at once.
   */
  private static final String DRIP_TIMEOUTS =
      "{\"drip_window_ms\":2000,\"drip_tokens_per_second\":50,\"total_ms\":600000}";

  private final TestAmbient gatewayAmbient;
  private final TestAmbient serverAmbient = TestAmbient.realTime();
  private final SimulatedUpstream faulty = SimulatedUpstream.start(serverAmbient);
  private final SimulatedUpstream healthy = SimulatedUpstream.start(serverAmbient);
  private final Socket silentPort = new Socket();
  private final ConcurrentLinkedQueue<CallRecord> records = new ConcurrentLinkedQueue<>();
  private final CountedLedger ledger;
  private final Gateway gateway;
  private @Nullable Thread clockMover;

  /**
   * @param realTime true for the real clock and a minimum speed of streams; false for a clock that
   *     stands still until a test moves it
   */
  FaultMatrixGateway(List<Cell> cells, boolean realTime) throws IOException {
    gatewayAmbient = realTime ? TestAmbient.realTime() : TestAmbient.at("2026-01-05T12:00:00Z");
    ledger = new CountedLedger(gatewayAmbient);
    silentPort.bind(
        new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0)); // bound, never listens
    healthy.script("fine", Script.answer(ANSWER));
    faulty.script("broken", Script.status(502));
    gateway =
        Gateway.builder(
                new ConfigReader(new JacksonCodec(), name -> null)
                    .read(config(cells, realTime).getBytes(StandardCharsets.UTF_8))
                    .orThrow())
            .provider(new OpenAiChatFactory())
            .provider(new OpenAiResponsesFactory())
            .provider(new AnthropicMessagesFactory())
            .provider(new GeminiFactory())
            .sink(records::add)
            .ledger(ledger)
            .ambient(gatewayAmbient)
            .build();
  }

  private String config(List<Cell> cells, boolean realTime) {
    var providers = new ArrayList<String>();
    var models = new ArrayList<String>();
    for (Vendor vendor : Vendor.values()) {
      providers.add(provider(vendor.protocol(), vendor, healthy.baseUri().toString()));
    }
    for (Cell cell : cells) {
      for (OtherEndpoint other : OtherEndpoint.values()) {
        add(cell, other, providers, models);
      }
    }
    return "{\"timeouts\":%s,\"providers\":[%s],\"models\":[%s],\"keys\":[{\"name\":\"app\",\"key\":\"%s\"}]}"
        .formatted(
            realTime ? DRIP_TIMEOUTS : LONG_TIMEOUTS,
            String.join(",", providers),
            String.join(",", models),
            KEY);
  }

  private void add(Cell cell, OtherEndpoint other, List<String> providers, List<String> models) {
    String name = cell.name(other);
    String refusing = "http://127.0.0.1:" + silentPort.getLocalPort() + "/v1";
    String base = cell.fault().refusesConnections() ? refusing : faulty.baseUri().toString();
    faulty.script(name, cell.fault().script(cell.vendor()));
    providers.add(provider(name, cell.vendor(), base));
    String endpoints = endpoint(name, name);
    if (other != OtherEndpoint.NONE) {
      String upstream = other == OtherEndpoint.HEALTHY ? "fine" : "broken";
      endpoints += "," + endpoint(cell.otherProvider(other), upstream);
    }
    if (other == OtherEndpoint.FAULTY) {
      providers.add(
          provider(cell.otherProvider(other), cell.healthy(), faulty.baseUri().toString()));
    }
    models.add("{\"id\":\"acme/%s\",\"endpoints\":[%s]}".formatted(name, endpoints));
  }

  private static String provider(String slug, Vendor vendor, String base) {
    return "{\"slug\":\"%s\",\"name\":\"%s\",\"protocol\":\"%s\",\"base_url\":\"%s\"}"
        .formatted(slug, slug, vendor.protocol(), base);
  }

  private static String endpoint(String provider, String upstream) {
    return "{\"provider\":\"%s\",\"upstream_model\":\"%s\",\"pricing\":{\"prompt\":\"0.000001\",\"completion\":\"0.000002\"}}"
        .formatted(provider, upstream);
  }

  /** Sends the request of a cell and reads the response to its end. */
  CallerResponse ask(Cell cell, OtherEndpoint other) throws IOException, InterruptedException {
    records.clear();
    ledger.reset();
    if (clockMover != null) {
      clockMover.join(); // it consumes the disconnection that it waits for
    }
    while (faulty.awaitClientGone(Duration.ZERO)) {} // consumes those of earlier cells
    String name = cell.name(other);
    List<String> providers =
        other == OtherEndpoint.NONE ? List.of(name) : List.of(name, cell.otherProvider(other));
    String body = cell.api().requestBody("acme/" + name, cell.streaming(), providers);
    boolean movesClock = cell.fault().time() == FaultCase.Time.MOVED;
    long requestsBefore = faulty.requests();
    if (movesClock && cell.textBefore().isEmpty()) {
      Duration due = cell.streaming() ? Duration.ofSeconds(61) : Duration.ofHours(12);
      clockMover =
          serverAmbient.start(
              "move-clock", () -> moveClock(requestsBefore + 1, due, Duration.ofMillis(20)));
    }
    WireResponse response = gateway.wire().handle(request(cell.api(), body));
    var out = new ByteArrayOutputStream();
    boolean clockIsMoving = false;
    try (WireBody answer = response.body()) {
      while (answer.writeNext(out)) {
        if (movesClock
            && !clockIsMoving
            && !cell.textBefore().isEmpty()
            && out.toString(StandardCharsets.UTF_8).contains(cell.textBefore())) {
          clockIsMoving = true;
          clockMover =
              serverAmbient.start(
                  "move-clock", () -> moveClock(0, Duration.ofSeconds(61), Duration.ofSeconds(61)));
        }
      }
    }
    return new CallerResponse(
        response.status(), response.headers(), out.toString(StandardCharsets.UTF_8));
  }

  private static WireRequest request(GatewayApi api, String body) {
    return new WireRequest(
        "POST",
        api.path(),
        "",
        name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + KEY : null,
        new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
        new Cancellation());
  }

  /**
   * Moves the clock once the upstream has been asked, until the gateway disconnects: first by one
   * step, then by more, in case the gateway had not yet begun to wait at the first.
   */
  private void moveClock(long requests, Duration first, Duration next) {
    try {
      assertThat(faulty.awaitRequests(requests, TIMEOUT)).as("the upstream was asked").isTrue();
      gatewayAmbient.advance(first);
      for (int i = 0; i < 400 && !faulty.awaitClientGone(Duration.ofMillis(50)); i++) {
        gatewayAmbient.advance(next);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the record of the last request, and asserts that it is the only one. */
  CallRecord record() {
    assertThat(records).as("records").hasSize(1);
    return records.element();
  }

  Ledger.Balance balance() {
    return ledger.balance(Payer.account(List.of()), Period.LIFETIME, gatewayAmbient.now());
  }

  void assertHoldEndedOnce() {
    ledger.assertEndedOnce();
  }

  long healthyRequests() {
    return healthy.requests();
  }

  @Override
  public void close() {
    assertThat(balance().held()).as("held").isEqualTo(Charge.ZERO);
    gateway.close();
    ledger.close();
    try {
      assertThat(faulty.awaitNoConnections(TIMEOUT)).as("connections closed").isTrue();
      assertThat(healthy.awaitNoConnections(TIMEOUT)).as("connections closed").isTrue();
      silentPort.close();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    faulty.close();
    healthy.close();
    gatewayAmbient.assertNoThreadsLeft();
    serverAmbient.assertNoThreadsLeft();
  }
}
