package io.strowger.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.plugins.fusion.FusionProvider;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec;
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
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fault of {@link Faults} that a stream can have, in each member of a panel and in its
 * analyst: the caller gets the final answer all the same, the panel's result says who failed, and
 * every token is paid once.
 */
@DisplayName("When an upstream misbehaves within a panel")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FusionFaultsTest {
  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  private static final String FINAL = "all is well";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int ANALYST = 3;
  private static final String ANALYSIS =
      "{\"consensus\":[],\"contradictions\":[],\"partial_coverage\":[],\"unique_insights\":[],\"blind_spots\":[]}";

  /** Ten tokens in and eight out, at one and two dollars a million. */
  private static final long CALL = 26_000;

  private @Nullable World still;
  private @Nullable World real;

  /**
   * One fault in one place.
   *
   * @param place 0 to 2 in the panel, 3 the analyst
   */
  record Spot(int number, Wrong wrong, int place) {
    String model() {
      return "wrong-" + number;
    }

    boolean isReal() {
      return wrong.time() == Wrong.Time.REAL;
    }

    @Override
    public String toString() {
      return wrong + ", " + (place == ANALYST ? "the analyst" : "member " + (place + 1));
    }
  }

  static Stream<Spot> spots() {
    var spots = new ArrayList<Spot>();
    for (Wrong wrong : Faults.all()) {
      for (int place = 0; place <= ANALYST; place++) {
        if (wrong.happens(Vendor.CHAT, true)) {
          spots.add(new Spot(spots.size(), wrong, place));
        }
      }
    }
    return spots.stream();
  }

  @BeforeAll
  void open() throws IOException {
    still = new World(spots().filter(spot -> !spot.isReal()).toList(), false);
    real = new World(spots().filter(Spot::isReal).toList(), true);
  }

  @AfterAll
  void nothingIsLeft() throws IOException, InterruptedException {
    Objects.requireNonNull(still).close();
    Objects.requireNonNull(real).close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("spots")
  @DisplayName("the answer comes all the same, and every token is paid once")
  void survives(Spot spot) throws Exception {
    World world = Objects.requireNonNull(spot.isReal() ? real : still);
    Usd before = world.settled();
    String body = world.ask(spot);
    assertThat(body).contains(FINAL).doesNotContain(Complaint.SECRET);
    Json.Obj result = world.result();
    assertThat(result.text("status")).as(result.toString()).isEqualTo("ok");
    boolean analyst = spot.place() == ANALYST;
    assertThat(result.list("responses")).hasSize(analyst ? 3 : 2);
    assertThat(result.has("analysis")).isEqualTo(!analyst);
    assertThat(result.toString()).doesNotContain(Complaint.SECRET, "<html>");
    if (!analyst) {
      Json.Obj failed = (Json.Obj) Objects.requireNonNull(result.list("failed_models")).get(0);
      assertThat(failed.text("model")).isEqualTo("acme/" + spot.model());
      assertThat(failed.longValue("status_code", 0)).isPositive();
    }
    CallRecord record = world.record();
    assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
    Usd paid = world.settled().minus(before);
    assertThat(record.cost()).as("billed").isEqualTo(paid);
    // two turns of the caller's model and what of panel and analyst was complete: else it is free
    assertThat(paid).isEqualTo(new Usd(5 * CALL));
    assertThat(world.held()).isEqualTo(Charge.ZERO);
    world.ledger.assertAllEndedOnce();
  }

  /** A gateway over one upstream that does what every spot says, and a healthy one. */
  private static final class World {
    private final TestAmbient time;
    private final TestAmbient servers = TestAmbient.realTime();
    private final SimulatedUpstream faulty = SimulatedUpstream.start(servers);
    private final SimulatedUpstream healthy = SimulatedUpstream.start(servers);
    private final Socket deaf = new Socket();
    private final ConcurrentLinkedQueue<CallRecord> records = new ConcurrentLinkedQueue<>();
    private final CountedLedger ledger;
    private final Gateway gateway;
    private @Nullable Thread hurrying;

    World(List<Spot> spots, boolean real) throws IOException {
      time = real ? TestAmbient.realTime() : TestAmbient.at("2026-01-05T12:00:00Z");
      ledger = new CountedLedger(time);
      deaf.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0)); // nobody listens
      healthy.script("fine", Script.answer("fine"));
      healthy.script("judge", Script.answer(ANALYSIS));
      healthy.respond("outer", World::outer);
      gateway =
          Gateway.builder(
                  new ConfigReader(new JacksonCodec(), name -> null)
                      .read(config(spots, real).getBytes(StandardCharsets.UTF_8))
                      .orThrow())
              .plugins(Plugins.none().add(new FusionProvider()))
              .provider(new OpenAiChatFactory())
              .sink(records::add)
              .ledger(ledger)
              .ambient(time)
              .build();
    }

    private static Script outer(ReceivedRequest request) {
      return request.text().contains("call_panel")
          ? Script.answer(FINAL)
          : Script.builder().text("").toolCall("call_panel", "fusion", "{}").build();
    }

    private String config(List<Spot> spots, boolean real) {
      var providers = new ArrayList<String>();
      var models = new ArrayList<String>();
      for (String name : List.of("outer", "fine", "judge")) {
        add(name, healthy.baseUri().toString(), providers, models);
      }
      String nobody = "http://127.0.0.1:" + deaf.getLocalPort() + "/v1";
      for (Spot spot : spots) {
        faulty.script(spot.model(), spot.wrong().script(Vendor.CHAT));
        String base = spot.wrong().isRefused() ? nobody : faulty.baseUri().toString();
        add(spot.model(), base, providers, models);
      }
      String timeouts =
          real
              ? "{'drip_window_ms':2000,'drip_tokens_per_second':50,'total_ms':600000}"
              : "{'first_content_ms':60000,'stream_idle_ms':60000,'total_ms':86400000}";
      return "{'timeouts':%s,'providers':[%s],'models':[%s],'keys':[{'name':'app','key':'%s'}]}"
          .formatted(timeouts, String.join(",", providers), String.join(",", models), KEY)
          .replace('\'', '"');
    }

    private static void add(String name, String base, List<String> providers, List<String> models) {
      providers.add(
          "{'slug':'%s','name':'%s','protocol':'openai-chat','base_url':'%s'}"
              .formatted(name, name, base));
      models.add(
          "{'id':'acme/%s','endpoints':[{'provider':'%s','upstream_model':'%s','pricing':{'prompt':'0.000001','completion':'0.000002'}}]}"
              .formatted(name, name, name));
    }

    /** Asks with the faulty model in its place and healthy ones in all others. */
    String ask(Spot spot) throws IOException, InterruptedException {
      records.clear();
      ledger.forget();
      if (hurrying != null) {
        hurrying.join(); // it takes the departure it waits for
      }
      while (faulty.awaitClientGone(Duration.ZERO)) {} // others of earlier spots
      var panel = new ArrayList<String>();
      for (int place = 0; place < ANALYST; place++) {
        panel.add("'acme/" + (place == spot.place() ? spot.model() : "fine") + "'");
      }
      String judge = spot.place() == ANALYST ? spot.model() : "judge";
      String body =
          "{'model':'acme/outer','messages':[{'role':'user','content':'So?'}],'plugins':[{'id':'fusion','analysis_models':[%s],'model':'acme/%s'}]}"
              .formatted(String.join(",", panel), judge);
      if (spot.wrong().time() == Wrong.Time.MOVED) {
        long arrived = faulty.requests();
        hurrying =
            servers.start("hurry", () -> hurry(arrived + 1, spot.place() == ANALYST ? 4 : 3));
      }
      return answer(body.replace('\'', '"'));
    }

    private String answer(String body) throws IOException {
      var request =
          new WireRequest(
              "POST",
              "/chat/completions",
              "",
              name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + KEY : null,
              new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
              new Cancellation());
      WireResponse response = gateway.wire().handle(request);
      var out = new ByteArrayOutputStream();
      try (WireBody answer = response.body()) {
        answer.transferTo(out);
      }
      return out.toString(StandardCharsets.UTF_8);
    }

    /**
     * Lets time pass once the faulty one was asked and all others are done, which would be late
     * too, until the gateway hangs up.
     *
     * @param done how many calls are over by then
     */
    private void hurry(long requests, int done) {
      try {
        assertThat(faulty.awaitRequests(requests, PATIENCE)).as("asked").isTrue();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (ledger.paid() < done && System.nanoTime() < until) {
          LockSupport.parkNanos(1_000_000);
        }
        assertThat(ledger.paid()).as("calls that are over").isEqualTo(done);
        for (int i = 0; i < 400 && !faulty.awaitClientGone(Duration.ofMillis(200)); i++) {
          time.advance(Duration.ofSeconds(10));
        }
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    }

    /** What the panel gave the caller's model. */
    Json.Obj result() {
      for (ReceivedRequest one : healthy.received().reversed()) {
        if (parsed(one.text()).list("messages") instanceof Json.Arr messages) {
          for (Json message : messages) {
            if (message instanceof Json.Obj said && "tool".equals(said.text("role"))) {
              return parsed(Objects.requireNonNull(said.text("content")));
            }
          }
        }
      }
      throw new AssertionError("no result");
    }

    private static Json.Obj parsed(String text) {
      try {
        return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
      } catch (JsonCodec.MalformedJsonException wrong) {
        throw new AssertionError(text, wrong);
      }
    }

    CallRecord record() {
      assertThat(records).as("records").hasSize(1);
      return records.element();
    }

    Usd settled() {
      return ledger
          .balance(Payer.account(List.of()), Period.LIFETIME, time.now())
          .settled()
          .credits();
    }

    Charge held() {
      return ledger.balance(Payer.account(List.of()), Period.LIFETIME, time.now()).held();
    }

    void close() throws IOException, InterruptedException {
      gateway.close();
      ledger.close();
      assertThat(faulty.awaitNoConnections(PATIENCE)).as("connections closed").isTrue();
      assertThat(healthy.awaitNoConnections(PATIENCE)).as("connections closed").isTrue();
      deaf.close();
      faulty.close();
      healthy.close();
      time.assertNoThreadsLeft();
      servers.assertNoThreadsLeft();
    }
  }
}
