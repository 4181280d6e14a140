package io.strowger.core;

import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.streaming;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.inference.Reply;
import io.strowger.core.ledger.Payer;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A gateway")
class GatewayTest {
  private static final String MODEL = "acme/large";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");

  /** An adapter that records whether it was closed. */
  private static final class Adapter implements ChatProvider {
    final ScriptedProvider script;
    final CountDownLatch closing = new CountDownLatch(1);
    volatile boolean closed;
    @Nullable RuntimeException closeFailure;

    Adapter(ScriptedProvider script) {
      this.script = script;
    }

    @Override
    public EventStream open(Call call) throws UpstreamException {
      return script.open(call);
    }

    @Override
    public Json body(Call call) {
      return script.body(call);
    }

    @Override
    public void close() {
      closed = true;
      closing.countDown();
      script.close();
      if (closeFailure != null) {
        throw closeFailure;
      }
    }
  }

  /** Waits until an adapter is closed, which happens on a thread of its own. */
  private static void awaitClosed(Adapter adapter) throws InterruptedException {
    assertThat(adapter.closing.await(10, TimeUnit.SECONDS)).as("is closed").isTrue();
  }

  /** Creates adapters with scripted answers and remembers them. */
  private final class Factory implements ProviderFactory {
    final List<Adapter> adapters = new ArrayList<>();
    boolean closed;
    @Nullable String failingProvider; // its adapter cannot be created

    @Override
    public String protocol() {
      return "openai-chat";
    }

    @Override
    public ChatProvider create(ProviderSettings settings) {
      if (settings.slug().equals(failingProvider)) {
        throw new IllegalStateException("no " + failingProvider);
      }
      var adapter = new Adapter(new ScriptedProvider(ambient));
      adapters.add(adapter);
      return adapter;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static GatewayConfig config(String baseUrl, String extra) {
    String file =
        """
        { "providers": [
            { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s" },
            { "slug": "omega", "protocol": "gemini", "base_url": "http://127.0.0.1:1" } ],
          "models": [
            { "id": "acme/large", "endpoints": [ { "provider": "alpha" }, { "provider": "omega" } ] } ],
          "keys": [ { "name": "app", "key": "sk-app-0123456789", "management": false } ]%s }
        """
            .formatted(baseUrl, extra);
    return ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  private static GatewayConfig config(String baseUrl) {
    return config(baseUrl, "");
  }

  private Gateway gateway(Factory factory) {
    return Gateway.builder(config("http://127.0.0.1:1/a"))
        .provider(factory)
        .allowMissingParts()
        .ambient(ambient)
        .build();
  }

  private static Charge settled(Gateway gateway) {
    return gateway
        .ledger()
        .balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH)
        .settled();
  }

  private static Charge held(Gateway gateway) {
    return gateway
        .ledger()
        .balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH)
        .held();
  }

  private static Reply serve(Gateway gateway, InferenceRequest request) {
    Caller caller = gateway.authenticator().admit("Bearer sk-app-0123456789", KeyRequirement.ANY);
    return gateway.inference().serve(caller, request, new Cancellation());
  }

  private static List<Event> drain(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    var events = new ArrayList<Event>();
    try (Reply.MeteredAnswer answer = ((Reply.Answered) reply).answer()) {
      for (Event e = answer.next(); e != null; e = answer.next()) {
        events.add(e);
      }
    }
    return events;
  }

  @Test
  @DisplayName("shares nothing with another gateway in the same process")
  void two() {
    var firstFactory = new Factory();
    var secondFactory = new Factory();
    try (Gateway first = gateway(firstFactory);
        Gateway second = gateway(secondFactory)) {
      firstFactory.adapters.get(0).script.answers(answer("one"));
      drain(serve(first, request(MODEL, "x")));
      assertThat(settled(first)).isEqualTo(settled(second));
      assertThat(secondFactory.adapters.get(0).script.calls()).isEmpty();
      first.close();
      secondFactory.adapters.get(0).script.answers(answer("two"));
      drain(serve(second, request(MODEL, "x")));
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("ignores providers without a factory for their protocol if the host allows that")
  void unspoken() {
    var factory = new Factory();
    try (Gateway gateway = gateway(factory)) {
      var plan = gateway.routing().explain(request(MODEL, "x"), 7).plan();
      assertThat(((RoutePlan.Attempts) plan).candidates())
          .extracting(candidate -> candidate.endpoint().tag())
          .containsExactly("alpha");
      assertThat(gateway.routing().explain(request(MODEL, "x"), 7).query().catalogVersion())
          .as("a catalog with fewer endpoints has another version")
          .isNotEqualTo(gateway.config().catalog().version());
    }
  }

  @Test
  @DisplayName(
      "replaces its whole configuration; running requests keep theirs, unchanged adapters stay")
  void reload() throws InterruptedException {
    var factory = new Factory();
    try (Gateway gateway = gateway(factory)) {
      Adapter old = factory.adapters.get(0);
      old.script.streams(text("a"), text("b"), usage(1, 2), finished());
      Reply running = serve(gateway, streaming(MODEL, "x"));

      gateway.reload(config("http://127.0.0.1:1/a", ", \"credits\": \"5\""));
      assertThat(factory.adapters).hasSize(1);
      gateway.reload(config("http://127.0.0.1:1/b"));
      assertThat(factory.adapters).hasSize(2);
      assertThat(old.closed).isFalse();

      assertThat(drain(running).getLast()).isInstanceOf(Event.Finished.class);
      gateway.reload(config("http://127.0.0.1:1/c"));
      awaitClosed(old);
      awaitClosed(factory.adapters.get(1));
      assertThat(factory.adapters.get(2).closed).isFalse();
    }
    assertThat(factory.adapters).allMatch(adapter -> adapter.closed);
  }

  @Test
  @DisplayName("ends and settles running requests when it is closed, and refuses new ones")
  void close() {
    var factory = new Factory();
    Gateway gateway = gateway(factory);
    Caller caller = gateway.authenticator().admit("Bearer sk-app-0123456789", KeyRequirement.ANY);
    factory.adapters.get(0).script.streams(text("12345678"), stall());
    Reply running = serve(gateway, streaming(MODEL, "x"));
    gateway.close();
    gateway.close();
    assertThat(factory.closed).isTrue();
    assertThat(factory.adapters.get(0).closed).isTrue();
    assertThat(held(gateway)).isEqualTo(Charge.ZERO);
    ((Reply.Answered) running).answer().close();
    Reply late = gateway.inference().serve(caller, request(MODEL, "x"), new Cancellation());
    assertThat(((Reply.Refused) late).error().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThatThrownBy(() -> gateway.reload(config("http://127.0.0.1:1/a")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(gateway::config)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the gateway is closed");
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("accepts one factory for each protocol, and names the two that conflict")
  void clash() {
    var builder = Gateway.builder(config("http://127.0.0.1:1/a")).provider(new Factory());
    assertThatThrownBy(() -> builder.provider(new Factory()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("openai-chat")
        .hasMessageContaining("Factory");
  }

  @Test
  @DisplayName(
      "explains a body without dispatching, and replays the recorded query to the same plan")
  void explain() {
    var factory = new Factory();
    try (Gateway gateway = gateway(factory)) {
      byte[] body =
          "{\"model\":\"acme/large\",\"messages\":[{\"role\":\"user\",\"content\":\"secret prompt\"}]}"
              .getBytes(StandardCharsets.UTF_8);
      Routing.Explanation explanation = gateway.routing().explain(body, 7);
      Json.Obj record = explanation.query().toJson();
      assertThat(record.toString()).doesNotContain("secret prompt");
      RoutePlan again = gateway.routing().replay(RoutingQuery.fromJson(record));
      assertThat(again).isEqualTo(explanation.plan());
      assertThat(again.trace()).isEqualTo(explanation.plan().trace());
      assertThat(factory.adapters.get(0).script.calls()).isEmpty();
    }
  }

  private static WireResponse post(Gateway gateway, String path, String body) {
    return gateway
        .wire()
        .handle(
            new WireRequest(
                "POST",
                path,
                "",
                name -> name.equalsIgnoreCase("Authorization") ? "Bearer sk-app-0123456789" : null,
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                new Cancellation()));
  }

  @Test
  @DisplayName("enforces the configured maximum sizes of bodies and batches")
  void sizes() {
    String limits =
        ", \"server\": { \"max_request_bytes\": 150, \"max_batch_bytes\": 200 },"
            + " \"limits\": { \"batch_requests\": 1 }";
    GatewayConfig config = config("http://127.0.0.1:1/a", limits);
    String item = "{\"custom_id\":\"1\",\"body\":{\"input\":\"x\"}}";
    String batch = "{\"endpoint\":\"/v1/embeddings\",\"model\":\"m\",\"requests\":[%s]}";
    String one = batch.formatted(item);
    String full = one + " ".repeat(200 - one.length());
    String speech = "{\"model\":\"m\",\"input\":\"x\",\"voice\":\"v\"}";
    String fullSpeech = speech + " ".repeat(150 - speech.length());
    try (Gateway gateway =
        Gateway.builder(config)
            .provider(new Factory())
            .allowMissingParts()
            .ambient(ambient)
            .build()) {
      // 400: the whole body was read, but its model does not exist
      assertThat(post(gateway, "/batches", full).status()).isEqualTo(400);
      assertThat(post(gateway, "/batches", full + " ").status()).isEqualTo(413);
      String two = batch.formatted(item + "," + item.replace('1', '2'));
      assertThat(post(gateway, "/batches", two).status()).isEqualTo(400);
      assertThat(post(gateway, "/audio/speech", fullSpeech).status()).isEqualTo(400);
      assertThat(post(gateway, "/audio/speech", fullSpeech + " ").status()).isEqualTo(413);
    }
  }

  @Test
  @DisplayName("cannot explain a decision for a body without a model")
  void explainNothing() {
    try (Gateway gateway = gateway(new Factory())) {
      byte[] body =
          "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}".getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> gateway.routing().explain(body, 7))
          .isInstanceOfSatisfying(
              GatewayException.class,
              e ->
                  assertThat(e.error().problems())
                      .extracting(problem -> problem.pointer().toString())
                      .containsExactly("/model"));
    }
  }

  @Test
  @DisplayName("closes new adapters if a later one cannot be created, but not those in use")
  void halfMade() throws InterruptedException {
    var factory = new Factory();
    try (Gateway gateway = gateway(factory)) {
      factory.failingProvider = "zeta";
      var providers =
          """
          { "providers": [
              { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://127.0.0.1:1/a" },
              { "slug": "new", "protocol": "openai-chat", "base_url": "http://127.0.0.1:1/n" },
              { "slug": "zeta", "protocol": "openai-chat", "base_url": "http://127.0.0.1:1/z" } ],
            "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha" } ] } ],
            "keys": [ { "name": "app", "key": "sk-app-0123456789", "management": false } ] }
          """;
      GatewayConfig config =
          ConfigReader.standard().read(providers.getBytes(StandardCharsets.UTF_8)).orThrow();
      assertThatThrownBy(() -> gateway.reload(config))
          .hasMessageContaining("provider zeta: ")
          .cause()
          .hasMessage("no zeta");
      awaitClosed(factory.adapters.get(1));
      assertThat(factory.adapters)
          .extracting(adapter -> adapter.closed)
          .containsExactly(false, true);
    }
  }

  @Test
  @DisplayName("names every problem of a wrong body that it is asked to explain")
  void explainBad() {
    try (Gateway gateway = gateway(new Factory())) {
      byte[] body = "{\"messages\":[],\"temperature\":9}".getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> gateway.routing().explain(body, 7))
          .isInstanceOfSatisfying(
              GatewayException.class,
              e ->
                  assertThat(e.error().problems())
                      .extracting(problem -> problem.pointer().toString())
                      .containsExactlyInAnyOrder("/messages", "/temperature"));
    }
  }

  @Test
  @DisplayName("completes an answer even if a sink throws an error")
  void brokenSink() {
    var factory = new Factory();
    try (Gateway gateway =
        Gateway.builder(config("http://127.0.0.1:1/a"))
            .provider(factory)
            .allowMissingParts()
            .ambient(ambient)
            .sink(
                record -> {
                  throw new AssertionError("thrown by the sink");
                })
            .build()) {
      factory.adapters.get(0).script.streams(text("a"), usage(1, 1), finished());
      assertThat(drain(serve(gateway, streaming(MODEL, "x"))).getLast())
          .isInstanceOf(Event.Finished.class);
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("closes everything else if closing one adapter throws")
  void brokenClose() {
    var factory = new Factory();
    Gateway gateway = gateway(factory);
    factory.adapters.get(0).closeFailure = new IllegalStateException("thrown by the adapter");
    gateway.close();
    assertThat(factory.closed).isTrue();
    ambient.assertNoThreadsLeft();
  }
}
