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
 * A gateway over one faulty upstream and one healthy one. Each cell has faulty providers of its own
 * for each {@link Company}, since what an upstream does counts against it.
 */
final class Switchboard implements AutoCloseable {
  static final String ANSWER = "all is well";
  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Far longer than any test, where time stands still. */
  private static final String UNMOVED =
      "{\"first_content_ms\":60000,\"stream_idle_ms\":60000,\"total_ms\":86400000}";

  /**
   * The healthy upstream gives all of its answer at once, and has until a window is over. The drip
   * that is cut lasts for longer than one.
   */
  private static final String DRIPPING =
      "{\"drip_window_ms\":2000,\"drip_tokens_per_second\":50,\"total_ms\":600000}";

  private final TestAmbient time;
  private final TestAmbient servers = TestAmbient.realTime();
  private final SimulatedUpstream faulty = SimulatedUpstream.start(servers);
  private final SimulatedUpstream healthy = SimulatedUpstream.start(servers);
  private final Socket deaf = new Socket();
  private final ConcurrentLinkedQueue<CallRecord> records = new ConcurrentLinkedQueue<>();
  private final CountedLedger ledger;
  private final Gateway gateway;
  private @Nullable Thread hurrying;

  /**
   * @param real time passes by itself, and streams that drip are guarded against; otherwise it
   *     stands still until it is moved
   */
  Switchboard(List<Cell> cells, boolean real) throws IOException {
    time = real ? TestAmbient.realTime() : TestAmbient.at("2026-01-05T12:00:00Z");
    ledger = new CountedLedger(time);
    deaf.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0)); // nobody listens
    healthy.script("fine", Script.answer(ANSWER));
    faulty.script("broken", Script.status(502));
    gateway =
        Gateway.builder(
                new ConfigReader(new JacksonCodec(), name -> null)
                    .read(config(cells, real).getBytes(StandardCharsets.UTF_8))
                    .orThrow())
            .provider(new OpenAiChatFactory())
            .provider(new OpenAiResponsesFactory())
            .provider(new AnthropicMessagesFactory())
            .provider(new GeminiFactory())
            .sink(records::add)
            .ledger(ledger)
            .ambient(time)
            .build();
  }

  private String config(List<Cell> cells, boolean real) {
    var providers = new ArrayList<String>();
    var models = new ArrayList<String>();
    for (Vendor vendor : Vendor.values()) {
      providers.add(provider(vendor.protocol(), vendor, healthy.baseUri().toString()));
    }
    for (Cell cell : cells) {
      for (Company company : Company.values()) {
        add(cell, company, providers, models);
      }
    }
    return "{\"timeouts\":%s,\"providers\":[%s],\"models\":[%s],\"keys\":[{\"name\":\"app\",\"key\":\"%s\"}]}"
        .formatted(
            real ? DRIPPING : UNMOVED, String.join(",", providers), String.join(",", models), KEY);
  }

  private void add(Cell cell, Company company, List<String> providers, List<String> models) {
    String name = cell.name(company);
    String nobody = "http://127.0.0.1:" + deaf.getLocalPort() + "/v1";
    String base = cell.wrong().isRefused() ? nobody : faulty.baseUri().toString();
    faulty.script(name, cell.wrong().script(cell.vendor()));
    providers.add(provider(name, cell.vendor(), base));
    String endpoints = endpoint(name, name);
    if (company != Company.NOBODY) {
      String upstream = company == Company.HEALTHY ? "fine" : "broken";
      endpoints += "," + endpoint(cell.other(company), upstream);
    }
    if (company == Company.BROKEN) {
      providers.add(provider(cell.other(company), cell.healthy(), faulty.baseUri().toString()));
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

  /** Asks as a caller does who reads to the end. */
  Heard ask(Cell cell, Company company) throws IOException, InterruptedException {
    records.clear();
    ledger.forget();
    if (hurrying != null) {
      hurrying.join(); // it takes the departure it waits for
    }
    while (faulty.awaitClientGone(Duration.ZERO)) {} // others of earlier cells
    String name = cell.name(company);
    List<String> providers =
        company == Company.NOBODY ? List.of(name) : List.of(name, cell.other(company));
    String body = cell.front().ask("acme/" + name, cell.streaming(), providers);
    boolean late = cell.wrong().time() == Wrong.Time.MOVED;
    long arrived = faulty.requests();
    if (late && cell.said().isEmpty()) {
      Duration due = cell.streaming() ? Duration.ofSeconds(61) : Duration.ofHours(12);
      hurrying = servers.start("hurry", () -> hurry(arrived + 1, due, Duration.ofMillis(20)));
    }
    WireResponse response = gateway.wire().handle(request(cell.front(), body));
    var out = new ByteArrayOutputStream();
    boolean reads = false;
    try (WireBody answer = response.body()) {
      while (answer.writeNext(out)) {
        if (late
            && !reads
            && !cell.said().isEmpty()
            && out.toString(StandardCharsets.UTF_8).contains(cell.said())) {
          reads = true;
          hurrying =
              servers.start(
                  "hurry", () -> hurry(0, Duration.ofSeconds(61), Duration.ofSeconds(61)));
        }
      }
    }
    return new Heard(response.status(), response.headers(), out.toString(StandardCharsets.UTF_8));
  }

  private static WireRequest request(Front front, String body) {
    return new WireRequest(
        "POST",
        front.path(),
        "",
        name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + KEY : null,
        new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
        new Cancellation());
  }

  /**
   * Lets time pass once the upstream was asked, first this much and then in small steps, in case
   * nobody was looking at the clock, until the gateway hangs up.
   */
  private void hurry(long requests, Duration first, Duration then) {
    try {
      assertThat(faulty.awaitRequests(requests, PATIENCE)).as("asked").isTrue();
      time.advance(first);
      for (int i = 0; i < 400 && !faulty.awaitClientGone(Duration.ofMillis(50)); i++) {
        time.advance(then);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** The only record made of the last request. */
  CallRecord record() {
    assertThat(records).as("records").hasSize(1);
    return records.element();
  }

  Ledger.Balance balance() {
    return ledger.balance(Payer.account(List.of()), Period.LIFETIME, time.now());
  }

  void assertHoldEndedOnce() {
    ledger.assertEndedOnce();
  }

  long askedHealthy() {
    return healthy.requests();
  }

  @Override
  public void close() {
    assertThat(balance().held()).as("held").isEqualTo(Charge.ZERO);
    gateway.close();
    ledger.close();
    try {
      assertThat(faulty.awaitNoConnections(PATIENCE)).as("connections closed").isTrue();
      assertThat(healthy.awaitNoConnections(PATIENCE)).as("connections closed").isTrue();
      deaf.close();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    faulty.close();
    healthy.close();
    time.assertNoThreadsLeft();
    servers.assertNoThreadsLeft();
  }
}
