package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A whole gateway for tests of fusion. Callers ask acme/outer, which calls the panel once and then
 * answers; acme/a to acme/d are members of panels, acme/judge is the analyst. Every call has 10
 * input tokens at $1 per million and 8 output tokens at $2 per million, so it costs 26
 * microdollars.
 */
final class FusionGateway implements AutoCloseable {
  static final String FINAL_ANSWER = "The panel agrees.";
  static final String ANALYSIS =
      "{\"consensus\":[\"yes\"],\"contradictions\":[{\"topic\":\"t\",\"stances\":[{\"model\":\"a\",\"stance\":\"s\"}]}],"
          + "\"partial_coverage\":[{\"models\":[\"a\"],\"point\":\"p\"}],"
          + "\"unique_insights\":[{\"model\":\"b\",\"insight\":\"i\"}],\"blind_spots\":[]}";
  static final long CALL_NANOS = 26_000;

  private static final String MODELS = "abcd";

  final TestAmbient ambient = TestAmbient.realTime();
  final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  final ConcurrentLinkedQueue<CallRecord> records = new ConcurrentLinkedQueue<>();
  final Gateway gateway;

  /** A response of the gateway. */
  record TestResponse(int status, String body) {
    JsonNode json() {
      return DialectClient.parse(body);
    }

    JsonNode stage() {
      for (JsonNode stage : json().at("/router_metadata/pipeline")) {
        if (stage.path("name").asText().equals("fusion")) {
          return stage;
        }
      }
      throw new AssertionError("no stage in " + body);
    }
  }

  FusionGateway() {
    this("", Plugins.none());
  }

  /**
   * @param more members of the configuration, each with a comma before it, in single quotes
   * @param added plugins to add to the built-in ones
   */
  FusionGateway(String more, Plugins added) {
    this(more, added, call -> null);
  }

  /** Opens a gateway whose calls are traced. */
  FusionGateway(CallTracer tracer) {
    this("", Plugins.none(), tracer);
  }

  private FusionGateway(String more, Plugins added, CallTracer tracer) {
    Plugins plugins = added;
    for (var provider : BuiltinPlugins.all()) {
      plugins = plugins.add(provider);
    }
    for (var tool : BuiltinPlugins.tools()) {
      plugins = plugins.tool(tool);
    }
    gateway =
        Gateway.builder(
                new ConfigReader(new JacksonCodec(), name -> null)
                    .read(document(more).getBytes(StandardCharsets.UTF_8))
                    .orThrow())
            .plugins(plugins)
            .provider(new OpenAiChatFactory())
            .sink(records::add)
            .tracer(tracer)
            .ambient(ambient)
            .build();
    upstream.respond("outer", this::outer);
    upstream.script("judge", Script.answer(ANALYSIS));
    for (char name : MODELS.toCharArray()) {
      upstream.script(String.valueOf(name), Script.answer("I am " + name));
    }
  }

  /** Answers as acme/outer: calls the panel until there is a result. */
  private Script outer(ReceivedRequest request) {
    return request.text().contains("call_fusion_1")
        ? Script.answer(FINAL_ANSWER)
        : Script.builder().text("").toolCall("call_fusion_1", "fusion", "{}").build();
  }

  private String document(String more) {
    var models = new ArrayList<String>();
    var providers = new ArrayList<String>();
    for (String name : List.of("a", "b", "c", "d", "outer", "judge")) {
      models.add(
          """
          {'id':'acme/%s','family':'acme/the-%s','intelligence_score':0.%d,'endpoints':[{'provider':'sim-%s',
          'upstream_model':'%s','pricing':{'prompt':'0.000001','completion':'0.000002'}}]}\
          """
              .formatted(name, name, 9 - models.size(), name, name));
      providers.add(
          "{'slug':'sim-%s','name':'Sim','protocol':'openai-chat','base_url':'%s'}"
              .formatted(name, upstream.baseUri()));
    }
    String keys = more.contains("'keys'") ? "" : ",'keys':[{'name':'app','key':'%s'}]";
    return ("{'providers':[%s],'models':[%s]" + keys.formatted(Fixtures.APP_KEY) + "%s}")
        .formatted(String.join(",", providers), String.join(",", models), more)
        .replace('\'', '"');
  }

  TestResponse ask(String body) {
    return ask(DialectClient.CHAT, Fixtures.APP_KEY, body, new Cancellation());
  }

  TestResponse ask(DialectClient client, String key, String body, Cancellation cancellation) {
    return send("POST", client.path, key, body, cancellation);
  }

  /** Returns the stored record of a request. */
  JsonNode generation(String id) {
    TestResponse response =
        send("GET", "/generation?id=" + id, Fixtures.APP_KEY, "", new Cancellation());
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json().path("data");
  }

  private TestResponse send(
      String method, String target, String key, String body, Cancellation cancellation) {
    int query = target.indexOf('?');
    var request =
        new WireRequest(
            method,
            query < 0 ? target : target.substring(0, query),
            query < 0 ? "" : target.substring(query + 1),
            name ->
                switch (name.toLowerCase(Locale.ROOT)) {
                  case "authorization" -> "Bearer " + key;
                  case "x-router-metadata" -> "enabled";
                  default -> null;
                },
            new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
            cancellation);
    WireResponse response = gateway.wire().handle(request);
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return new TestResponse(response.status(), out.toString(StandardCharsets.UTF_8));
  }

  /** Returns the last result of a panel that a model was sent. */
  JsonNode result() {
    JsonNode last = null;
    for (ReceivedRequest one : upstream.received()) {
      JsonNode body = DialectClient.parse(one.text());
      if (body.path("model").asText().equals("outer") || hasResult(body)) {
        for (JsonNode message : body.path("messages")) {
          if (message.path("role").asText().equals("tool")) {
            last = DialectClient.parse(message.path("content").asText());
          }
        }
      }
    }
    return Objects.requireNonNull(last, "no result");
  }

  private static boolean hasResult(JsonNode body) {
    return body.path("messages").toString().contains("tool_call_id");
  }

  /** Returns the bodies of the requests for a model. */
  List<JsonNode> requestsFor(String model) {
    return upstream.received().stream()
        .map(one -> DialectClient.parse(one.text()))
        .filter(body -> body.path("model").asText().equals(model))
        .toList();
  }

  CallRecord record() {
    assertThat(records).hasSize(1);
    return records.element();
  }

  Ledger.Balance account() {
    return gateway.ledger().balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH);
  }

  @Override
  public void close() {
    assertThat(account().held()).as("held").isEqualTo(Charge.ZERO);
    gateway.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }
}
