package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.plugins.BuiltinPlugins;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A whole gateway with all plugins and two simulated providers: alpha serves six models and a free
 * one, beta serves acme/m5 at a lower price. Model acme/m0 is the best and the most expensive, each
 * following one is a little worse and cheaper.
 */
final class RoutedGateway implements AutoCloseable {
  final TestAmbient ambient = TestAmbient.realTime();
  final SimulatedUpstream alpha = SimulatedUpstream.start(ambient);
  final SimulatedUpstream beta = SimulatedUpstream.start(ambient);
  final List<CallRecord> records = Collections.synchronizedList(new ArrayList<>());
  final Gateway gateway;

  /** A response of the gateway. */
  record TestResponse(int status, Json.Obj body) {
    String text(String name) {
      return Objects.requireNonNull(body.text(name), name);
    }

    Json.Obj error() {
      return Objects.requireNonNull(body.object("error"), "error");
    }

    String message() {
      return Objects.requireNonNull(error().text("message"), "message");
    }

    Json.Obj metadata() {
      return Objects.requireNonNull(body.object("router_metadata"), "router_metadata");
    }

    /** Returns the stage of the pipeline that a plugin wrote; null if it wrote none. */
    Json.@Nullable Obj stage(String plugin) {
      if (metadata().list("pipeline") instanceof Json.Arr stages) {
        for (int i = 0; i < stages.size(); i++) {
          if (stages.get(i) instanceof Json.Obj stage && plugin.equals(stage.text("name"))) {
            return stage;
          }
        }
      }
      return null;
    }
  }

  /**
   * @param plugins the section {@code plugins} of the configuration, in JSON
   * @param more the host's own plugins
   */
  RoutedGateway(String plugins, Plugins more) {
    for (int i = 0; i < 6; i++) {
      alpha.script("m" + i, Script.answer("I am m" + i));
    }
    alpha.script("gift", Script.answer("I cost nothing"));
    beta.script("m5", Script.answer("I am m5"));
    Plugins all = more;
    for (PluginProvider provider : BuiltinPlugins.all()) {
      all = all.add(provider);
    }
    gateway =
        Gateway.builder(config(plugins))
            .provider(new OpenAiChatFactory())
            .plugins(all)
            .sink(records::add)
            .ambient(ambient)
            .build();
  }

  RoutedGateway() {
    this("{}", Plugins.none());
  }

  GatewayConfig config(String plugins) {
    return new ConfigReader(new JacksonCodec(), name -> null)
        .read(document(plugins).getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  /** Returns the configuration as the text of a file. */
  String document(String plugins) {
    var models = new ArrayList<String>();
    for (int i = 0; i < 6; i++) {
      String more = i == 5 ? ", " + endpoint("beta", "m5", "0.0000005") : "";
      models.add(
          "{ \"id\": \"acme/m%d\", \"coding_score\": 0.%d, \"intelligence_score\": 0.%d, \"endpoints\": [ %s%s ] }"
              .formatted(
                  i, 95 - 5 * i, 90 - i, endpoint("alpha", "m" + i, "0.00000" + (9 - i)), more));
    }
    models.add(
        "{ \"id\": \"acme/gift:free\", \"endpoints\": [ %s ] }"
            .formatted(endpoint("alpha", "gift", "0")));
    return """
    { "providers": [
        { "slug": "alpha", "name": "Alpha", "protocol": "openai-chat", "base_url": "%s" },
        { "slug": "beta", "name": "Beta", "protocol": "openai-chat", "base_url": "%s" } ],
      "models": [ %s ],
      "plugins": %s,
      "keys": [ { "name": "app", "key": "%s" } ] }
    """
        .formatted(
            alpha.baseUri(), beta.baseUri(), String.join(",\n", models), plugins, Fixtures.APP_KEY);
  }

  private static String endpoint(String provider, String upstream, String price) {
    return "{ \"provider\": \"%s\", \"upstream_model\": \"%s\", \"pricing\": { \"prompt\": \"%s\", \"completion\": \"%s\" } }"
        .formatted(provider, upstream, price, price);
  }

  /** Returns a chat request for a model, with more members in JSON with single quotes. */
  static String chat(String model, String text, String members) {
    return "{'model':'%s','messages':[{'role':'user','content':'%s'}]%s}"
        .formatted(model, text, members.isEmpty() ? "" : "," + members)
        .replace('\'', '"');
  }

  TestResponse ask(String model, String members) throws IOException {
    return post(chat(model, "Hello", members));
  }

  TestResponse post(String body) throws IOException {
    Map<String, String> headers =
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-metadata", "enabled");
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    "/chat/completions",
                    "",
                    name -> headers.get(name.toLowerCase(Locale.ROOT)),
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    }
    try {
      return new TestResponse(
          response.status(), (Json.Obj) new JacksonCodec().parse(out.toByteArray()));
    } catch (MalformedJsonException e) {
      throw new AssertionError(out.toString(StandardCharsets.UTF_8), e);
    }
  }

  @Override
  public void close() {
    Ledger.Balance account =
        gateway.ledger().balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH);
    assertThat(account.held()).as("held").isEqualTo(Charge.ZERO);
    gateway.close();
    alpha.close();
    beta.close();
    ambient.assertNoThreadsLeft();
  }
}
