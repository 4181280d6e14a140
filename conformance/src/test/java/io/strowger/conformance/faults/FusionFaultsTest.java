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
 * Tests each fault of {@link Faults} that a stream can have, in each member of a panel and in its
 * analyst: the caller still gets the final answer, the panel's result names the model that failed,
 * and every token is paid once.
 */
@DisplayName("When the upstream of a panel's model fails")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FusionFaultsTest {
  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  private static final String FINAL = "all is well";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int ANALYST = 3;
  private static final String ANALYSIS =
      "{\"consensus\":[],\"contradictions\":[],\"partial_coverage\":[],\"unique_insights\":[],\"blind_spots\":[]}";

  /** The price of a call: 10 input and 8 output tokens at $1 and $2 per million, in nanodollars. */
  private static final long CALL_NANOS = 26_000;

  private @Nullable PanelGateway withStoppedClock;
  private @Nullable PanelGateway withRealClock;

  /**
   * One fault in one model of the panel.
   *
   * @param number the index among all, from 0
   * @param place the model that fails: 0 to 2 for a member of the panel, 3 for the analyst
   */
  record PanelFault(int number, FaultCase fault, int place) {
    String model() {
      return "faulty-" + number;
    }

    boolean usesRealClock() {
      return fault.time() == FaultCase.Time.REAL;
    }

    @Override
    public String toString() {
      return fault + ", " + (place == ANALYST ? "the analyst" : "member " + (place + 1));
    }
  }

  static Stream<PanelFault> panelFaults() {
    var panelFaults = new ArrayList<PanelFault>();
    for (FaultCase fault : Faults.all()) {
      for (int place = 0; place <= ANALYST; place++) {
        if (fault.happens(Vendor.CHAT, true)) {
          panelFaults.add(new PanelFault(panelFaults.size(), fault, place));
        }
      }
    }
    return panelFaults.stream();
  }

  @BeforeAll
  void open() throws IOException {
    withStoppedClock =
        new PanelGateway(
            panelFaults().filter(panelFault -> !panelFault.usesRealClock()).toList(), false);
    withRealClock =
        new PanelGateway(panelFaults().filter(PanelFault::usesRealClock).toList(), true);
  }

  @AfterAll
  void close() throws IOException, InterruptedException {
    Objects.requireNonNull(withStoppedClock).close();
    Objects.requireNonNull(withRealClock).close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("panelFaults")
  @DisplayName("the caller still gets the answer, and every token is paid once")
  void survives(PanelFault panelFault) throws Exception {
    PanelGateway gateway =
        Objects.requireNonNull(panelFault.usesRealClock() ? withRealClock : withStoppedClock);
    Usd before = gateway.settled();
    String body = gateway.ask(panelFault);
    assertThat(body).contains(FINAL).doesNotContain(UpstreamError.SECRET);
    Json.Obj result = gateway.result();
    assertThat(result.text("status")).as(result.toString()).isEqualTo("ok");
    boolean analystFails = panelFault.place() == ANALYST;
    assertThat(result.list("responses")).hasSize(analystFails ? 3 : 2);
    assertThat(result.has("analysis")).isEqualTo(!analystFails);
    assertThat(result.toString()).doesNotContain(UpstreamError.SECRET, "<html>");
    if (!analystFails) {
      Json.Obj failed = (Json.Obj) Objects.requireNonNull(result.list("failed_models")).get(0);
      assertThat(failed.text("model")).isEqualTo("acme/" + panelFault.model());
      assertThat(failed.longValue("status_code", 0)).isPositive();
    }
    CallRecord record = gateway.record();
    assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
    Usd paid = gateway.settled().minus(before);
    assertThat(record.cost()).as("billed").isEqualTo(paid);
    // two turns of the caller's model, and three complete calls of panel and analyst: others are
    // free
    assertThat(paid).isEqualTo(new Usd(5 * CALL_NANOS));
    assertThat(gateway.held()).isEqualTo(Charge.ZERO);
    gateway.ledger.assertAllEndedOnce();
  }

  /** A gateway with a panel, over an upstream that has all the faults, and a healthy one. */
  private static final class PanelGateway {
    private final TestAmbient gatewayAmbient;
    private final TestAmbient serverAmbient = TestAmbient.realTime();
    private final SimulatedUpstream faulty = SimulatedUpstream.start(serverAmbient);
    private final SimulatedUpstream healthy = SimulatedUpstream.start(serverAmbient);
    private final Socket silentPort = new Socket();
    private final ConcurrentLinkedQueue<CallRecord> records = new ConcurrentLinkedQueue<>();
    private final CountedLedger ledger;
    private final Gateway gateway;
    private @Nullable Thread clockMover;

    PanelGateway(List<PanelFault> panelFaults, boolean realTime) throws IOException {
      gatewayAmbient = realTime ? TestAmbient.realTime() : TestAmbient.at("2026-01-05T12:00:00Z");
      ledger = new CountedLedger(gatewayAmbient);
      silentPort.bind(
          new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0)); // bound, never listens
      healthy.script("fine", Script.answer("fine"));
      healthy.script("judge", Script.answer(ANALYSIS));
      healthy.respond("caller-model", PanelGateway::callerModel);
      gateway =
          Gateway.builder(
                  new ConfigReader(new JacksonCodec(), name -> null)
                      .read(config(panelFaults, realTime).getBytes(StandardCharsets.UTF_8))
                      .orThrow())
              .plugins(Plugins.none().add(new FusionProvider()))
              .provider(new OpenAiChatFactory())
              .sink(records::add)
              .ledger(ledger)
              .ambient(gatewayAmbient)
              .build();
    }

    private static Script callerModel(ReceivedRequest request) {
      return request.text().contains("call_panel")
          ? Script.answer(FINAL)
          : Script.builder().text("").toolCall("call_panel", "fusion", "{}").build();
    }

    private String config(List<PanelFault> panelFaults, boolean realTime) {
      var providers = new ArrayList<String>();
      var models = new ArrayList<String>();
      for (String name : List.of("caller-model", "fine", "judge")) {
        add(name, healthy.baseUri().toString(), providers, models);
      }
      String refusing = "http://127.0.0.1:" + silentPort.getLocalPort() + "/v1";
      for (PanelFault panelFault : panelFaults) {
        faulty.script(panelFault.model(), panelFault.fault().script(Vendor.CHAT));
        String base =
            panelFault.fault().refusesConnections() ? refusing : faulty.baseUri().toString();
        add(panelFault.model(), base, providers, models);
      }
      String timeouts =
          realTime
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

    /** Asks a panel in which one model is faulty and all others are healthy. */
    String ask(PanelFault panelFault) throws IOException, InterruptedException {
      records.clear();
      ledger.reset();
      if (clockMover != null) {
        clockMover.join(); // it consumes the disconnection that it waits for
      }
      while (faulty.awaitClientGone(Duration.ZERO)) {} // consumes those of earlier faults
      var panel = new ArrayList<String>();
      for (int place = 0; place < ANALYST; place++) {
        panel.add("'acme/" + (place == panelFault.place() ? panelFault.model() : "fine") + "'");
      }
      String judge = panelFault.place() == ANALYST ? panelFault.model() : "judge";
      String body =
          "{'model':'acme/caller-model','messages':[{'role':'user','content':'So?'}],'plugins':[{'id':'fusion','analysis_models':[%s],'model':'acme/%s'}]}"
              .formatted(String.join(",", panel), judge);
      if (panelFault.fault().time() == FaultCase.Time.MOVED) {
        long requestsBefore = faulty.requests();
        clockMover =
            serverAmbient.start(
                "move-clock",
                () -> moveClock(requestsBefore + 1, panelFault.place() == ANALYST ? 4 : 3));
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
     * Moves the clock until the gateway disconnects from the faulty model. Begins when that model
     * has been asked and all others have answered, since they would be late, too.
     *
     * @param done how many calls have ended by then
     */
    private void moveClock(long requests, int done) {
      try {
        assertThat(faulty.awaitRequests(requests, TIMEOUT)).as("the upstream was asked").isTrue();
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (ledger.settledHolds() < done && System.nanoTime() < until) {
          LockSupport.parkNanos(1_000_000);
        }
        assertThat(ledger.settledHolds()).as("calls that have ended").isEqualTo(done);
        for (int i = 0; i < 400 && !faulty.awaitClientGone(Duration.ofMillis(200)); i++) {
          gatewayAmbient.advance(Duration.ofSeconds(10));
        }
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    }

    /** Returns the result of the panel, as the caller's model received it. */
    Json.Obj result() {
      for (ReceivedRequest one : healthy.received().reversed()) {
        if (parsed(one.text()).list("messages") instanceof Json.Arr messages) {
          for (Json message : messages) {
            if (message instanceof Json.Obj object && "tool".equals(object.text("role"))) {
              return parsed(Objects.requireNonNull(object.text("content")));
            }
          }
        }
      }
      throw new AssertionError("no message with a result of the panel");
    }

    private static Json.Obj parsed(String text) {
      try {
        return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
      } catch (JsonCodec.MalformedJsonException malformed) {
        throw new AssertionError(text, malformed);
      }
    }

    CallRecord record() {
      assertThat(records).as("records").hasSize(1);
      return records.element();
    }

    Usd settled() {
      return ledger
          .balance(Payer.account(List.of()), Period.LIFETIME, gatewayAmbient.now())
          .settled()
          .credits();
    }

    Charge held() {
      return ledger.balance(Payer.account(List.of()), Period.LIFETIME, gatewayAmbient.now()).held();
    }

    void close() throws IOException, InterruptedException {
      gateway.close();
      ledger.close();
      assertThat(faulty.awaitNoConnections(TIMEOUT)).as("connections closed").isTrue();
      assertThat(healthy.awaitNoConnections(TIMEOUT)).as("connections closed").isTrue();
      silentPort.close();
      faulty.close();
      healthy.close();
      gatewayAmbient.assertNoThreadsLeft();
      serverAmbient.assertNoThreadsLeft();
    }
  }
}
