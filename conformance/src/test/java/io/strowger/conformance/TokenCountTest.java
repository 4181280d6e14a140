package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the upstream that would answer counts the tokens, if it can. Messages fact sheet,
 * section 1.
 */
@DisplayName("POST /messages/count_tokens with upstreams over HTTP")
@Timeout(60)
class TokenCountTest {
  private static final String MESSAGES =
      "'max_tokens':16,'messages':[{'role':'user','content':'I am a@b.co'}]";
  private static final Script FORTY_TWO = Script.builder().tokens(42, 1).build();

  /** The members of a configuration with content filters. */
  private static final String FILTER =
      ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
          + "{'slug':'email','action':'redact'},{'slug':'ssn','action':'block'}]}]}";

  private final TestAmbient time = TestAmbient.at("2026-11-21T12:00:00Z");
  private final TestAmbient servers = TestAmbient.realTime();
  private final SimulatedUpstream upstream = SimulatedUpstream.start(servers);
  private final List<CallRecord> records = Collections.synchronizedList(new ArrayList<>());
  private final Gateway gateway = gateway("");

  @AfterEach
  void nothingIsLeft() {
    close(gateway);
    upstream.close();
    time.assertNoThreadsLeft();
    servers.assertNoThreadsLeft();
  }

  private static void close(Gateway gateway) {
    Ledger.Balance account =
        gateway.ledger().balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH);
    assertThat(account.held()).as("held").isEqualTo(Charge.ZERO);
    gateway.close();
  }

  private Gateway gateway(String more) {
    String document =
        """
        {'providers':[
          {'slug':'m','protocol':'anthropic-messages','base_url':'%1$s','api_key':'sk-upstream'},
          {'slug':'c','protocol':'openai-chat','base_url':'%1$s','api_key':'sk-upstream'}],
         'models':[
          {'id':'acme/messages','endpoints':[{'provider':'m','upstream_model':'large',
            'pricing':{'prompt':'0.000001','completion':'0.000002'}}]},
          {'id':'acme/chat','endpoints':[{'provider':'c','upstream_model':'large',
            'pricing':{'prompt':'0.000001','completion':'0.000002'}}]}],
         'keys':[{'name':'app','key':'%2$s'},
                 {'name':'poor','key':'sk-poor','limit':0}]%3$s}
        """
            .formatted(upstream.baseUri(), Fixtures.APP_KEY, more)
            .replace('\'', '"');
    Plugins plugins = Plugins.none();
    for (var tool : BuiltinPlugins.tools()) {
      plugins = plugins.tool(tool);
    }
    return Gateway.builder(
            new ConfigReader(new JacksonCodec(), name -> null)
                .read(document.getBytes(StandardCharsets.UTF_8))
                .orThrow())
        .plugins(plugins)
        .provider(DialectUpstream.MESSAGES.factory())
        .provider(DialectUpstream.CHAT.factory())
        .sink(records::add)
        .ambient(time)
        .build();
  }

  private record TestResponse(int status, String body) {}

  private static TestResponse post(Gateway gateway, String key, String path, String body) {
    Map<String, String> headers = Map.of("authorization", "Bearer " + key);
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    path,
                    "",
                    name -> headers.get(name.toLowerCase(Locale.ROOT)),
                    new ByteArrayInputStream(bytes),
                    new Cancellation()));
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return new TestResponse(
        response.status(), out.toString(StandardCharsets.UTF_8).replace('"', '\''));
  }

  private static TestResponse count(Gateway gateway, String model, String members) {
    return post(
        gateway,
        Fixtures.APP_KEY,
        "/messages/count_tokens",
        "{'model':'" + model + "'," + members + "}");
  }

  private TestResponse count(String model) {
    return count(gateway, model, MESSAGES);
  }

  private static void assertEstimate(TestResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).matches("\\{'input_tokens':\\d{1,2},'estimate':true}");
  }

  @Test
  @DisplayName("is exact if a messages upstream would answer, and costs nothing")
  void exact() {
    upstream.script("large", FORTY_TWO);
    assertThat(count("acme/messages")).isEqualTo(new TestResponse(200, "{'input_tokens':42}"));
    assertThat(upstream.last().path()).isEqualTo("/v1/messages/count_tokens");
    assertThat(upstream.last().header("x-api-key")).isEqualTo("sk-upstream");
    assertThat(upstream.last().text()).doesNotContain("max_tokens", "stream");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(records).isEmpty();
    assertThat(
            gateway
                .ledger()
                .balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH)
                .settled())
        .isEqualTo(Charge.ZERO);
  }

  @Test
  @DisplayName("is an estimate if a chat upstream would answer, and that upstream is not called")
  void chat() {
    upstream.script("large", FORTY_TWO);
    assertEstimate(count("acme/chat"));
    assertThat(upstream.requests()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>",
        "{}",
        "{'input_tokens':-1}",
        "{'input_tokens':0}",
        "{'input_tokens':1000000001}",
        "{'input_tokens':9223372036854775807}",
        "{'input_tokens':1e99}",
        "{'input_tokens':'42'}"
      })
  @DisplayName("is an estimate if the count of the upstream is impossible")
  void garbage(String document) {
    String json = document.replace('\'', '"');
    upstream.script("large", Script.responding(200, Map.of(), json));
    assertEstimate(count("acme/messages"));
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  @DisplayName("is an estimate if the upstream refuses to count, which does not affect its answers")
  void refused() {
    upstream.respond(
        "large",
        request ->
            request.path().endsWith("/count_tokens") ? Script.status(500) : Script.answer("Noon."));
    for (int i = 0; i < 30; i++) {
      assertEstimate(count("acme/messages"));
    }
    assertThat(upstream.requests()).isEqualTo(30);
    TestResponse answered =
        post(gateway, Fixtures.APP_KEY, "/messages", "{'model':'acme/messages'," + MESSAGES + "}");
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    assertThat(answered.body()).contains("Noon.");
  }

  @Test
  @DisplayName("is an estimate if the upstream has not counted when first content would be due")
  void hangs() throws InterruptedException {
    upstream.script("large", Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
    var response = new AtomicReference<TestResponse>();
    Thread caller = time.start("caller", () -> response.set(count("acme/messages")));
    assertThat(upstream.awaitRequests(1, Duration.ofSeconds(20))).isTrue();
    time.awaitSleep("strowger-watchdog");
    time.advance(Duration.ofSeconds(59));
    time.awaitSleep("strowger-watchdog");
    assertThat(upstream.awaitClientGone(Duration.ZERO)).isFalse();
    time.advance(Duration.ofSeconds(1));
    caller.join();
    assertEstimate(response.get());
    assertThat(upstream.awaitClientGone(Duration.ofSeconds(20))).isTrue();
  }

  @Test
  @DisplayName(
      "sends an upstream no text that a filter redacts, and nothing if a filter blocks the request")
  void filtered() {
    upstream.script("large", FORTY_TWO);
    Gateway filtering = gateway(FILTER);
    try {
      assertThat(count(filtering, "acme/messages", MESSAGES).body())
          .isEqualTo("{'input_tokens':42}");
      assertThat(upstream.last().text()).contains("[EMAIL]").doesNotContain("a@b.co");
      TestResponse blocked =
          count(filtering, "acme/messages", MESSAGES.replace("a@b.co", "123-45-6789"));
      assertThat(blocked.status()).isEqualTo(403);
      assertThat(upstream.requests()).isEqualTo(1);
    } finally {
      close(filtering);
    }
  }

  @Test
  @DisplayName("is an estimate if the gateway would add its own tools or the key cannot pay")
  void notAsked() {
    upstream.script("large", FORTY_TWO);
    TestResponse tools =
        count(gateway, "acme/messages", MESSAGES + ",'tools':[{'type':'router:datetime'}]");
    assertThat(tools.status()).as(tools.body()).isEqualTo(200);
    assertThat(tools.body()).contains("'estimate':true");
    assertEstimate(
        post(
            gateway,
            "sk-poor",
            "/messages/count_tokens",
            "{'model':'acme/messages'," + MESSAGES + "}"));
    assertThat(upstream.requests()).isZero();
  }
}
