package io.strowger.core;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.destination.PlainExporters;
import io.strowger.core.destination.ScriptedTransport;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.store.Stores;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.Step;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A gateway as a whole, asked over its HTTP surface; behind it are providers that answer whatever
 * they are asked with one word, for ten tokens in and one out. In bodies single quotes stand for
 * double ones.
 */
final class House implements AutoCloseable {
  static final String ADMIN = "sk-admin-0123456789abcdef";
  static final String APP = "sk-app-0123456789abcdef";
  static final String NOW = "2026-11-21T12:00:00Z";

  private static final String FILE =
      """
      { "providers": [
          { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://alpha.test",
            "api_key": "shared-alpha",
            "data_policy": { "retains_prompts": true, "trains_on_prompts": true } },
          { "slug": "beta", "protocol": "openai-chat", "base_url": "http://beta.test",
            "api_key": "shared-beta",
            "data_policy": { "retains_prompts": false, "trains_on_prompts": false } } ],
        "models": [
          { "id": "acme/large", "aliases": ["acme/big"], "endpoints": [
              { "provider": "alpha", "pricing": { "prompt": "0.001", "completion": "0.001" } },
              { "provider": "beta", "pricing": { "prompt": "0.002", "completion": "0.002" } } ] },
          { "id": "acme/small", "endpoints": [
              { "provider": "beta", "pricing": { "prompt": "0.0005", "completion": "0.0005" } } ] } ],
        "keys": [ { "name": "app", "key": "sk-app-0123456789abcdef" },
                  { "name": "admin", "key": "sk-admin-0123456789abcdef", "management": true } ]%s }
      """;

  final TestAmbient ambient;
  final Stores stores;
  final Gateway gateway;
  final List<Call> calls = new ArrayList<>(); // what providers were asked, in order
  final ScriptedTransport destinations = new ScriptedTransport(); // what destinations were sent
  final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER); // of requests

  House(String config) {
    this(config, new MemoryStores(), TestAmbient.at(NOW), SecretKeySource.NONE);
  }

  /** On the same stores and in the same time as another. */
  House(String config, House other) {
    this(config, other.stores, other.ambient, SecretKeySource.NONE);
  }

  House(String config, Stores stores, TestAmbient ambient, SecretKeySource secretKey) {
    this.stores = stores;
    this.ambient = ambient;
    this.gateway =
        Gateway.builder(read(config))
            .ambient(ambient)
            .stores(stores)
            .secretKey(secretKey)
            .provider(new Upstreams())
            .destinations(destinations, List.of(new PlainExporters()))
            .build();
  }

  /** Calls are delivered to destinations as they come unless the config says how they wait. */
  static GatewayConfig read(String config) {
    String queue =
        config.contains("'observability_queue'")
            ? ""
            : ", \"observability_queue\": {\"gather_ms\": 0}";
    String more = queue + (config.isEmpty() ? "" : ", " + config.replace('\'', '"'));
    return ConfigReader.standard()
        .read(FILE.formatted(more).getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  private final class Upstreams implements ProviderFactory {
    @Override
    public String protocol() {
      return "openai-chat";
    }

    @Override
    public ChatProvider create(ProviderSettings settings) {
      return new ScriptedProvider(ambient)
          .always(
              call -> {
                calls.add(call);
                return List.of(Step.text("y"), Step.usage(10, 1), Step.finished());
              });
    }

    @Override
    public void close() {}
  }

  /** What came back. */
  record Answer(int status, Json.Obj body) {
    Json.Obj data() {
      return Objects.requireNonNull(body.object("data"), body::toString);
    }

    List<Json.Obj> list() {
      var items = new ArrayList<Json.Obj>();
      Json.Arr list = Objects.requireNonNull(body.list("data"), body::toString);
      for (int i = 0; i < list.size(); i++) {
        items.add((Json.Obj) list.get(i));
      }
      return items;
    }

    String text(String member) {
      return Objects.requireNonNull(data().text(member), body::toString);
    }

    /** Empty when it is no error. */
    String message() {
      Json.Obj error = body.object("error");
      return error == null ? "" : Objects.requireNonNullElse(error.text("message"), "");
    }
  }

  Answer send(String key, String method, String path, String body) {
    int mark = path.indexOf('?');
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    method,
                    mark < 0 ? path : path.substring(0, mark),
                    mark < 0 ? "" : path.substring(mark + 1),
                    name ->
                        name.equalsIgnoreCase("Authorization")
                            ? "Bearer " + key
                            : headers.get(name),
                    new ByteArrayInputStream(
                        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    return new Answer(response.status(), json(response));
  }

  /** By the management key of the configuration. */
  Answer manage(String method, String path, String body) {
    return send(ADMIN, method, path, body);
  }

  Answer get(String path) {
    return manage("GET", path, "");
  }

  /** Asks a model for one token. */
  Answer ask(String key, String model) {
    return ask(key, model, "");
  }

  Answer ask(String key, String model, String more) {
    return send(
        key,
        "POST",
        "/chat/completions",
        "{'model':'%s','max_tokens':16,'messages':[{'role':'user','content':'hi'}]%s}"
            .formatted(model, more));
  }

  /** The provider and the credential of the last call. */
  String last() {
    Call call = calls.getLast();
    return call.endpoint().provider().slug() + " " + call.credential().reveal();
  }

  /**
   * Lets every node in this time see what others wrote.
   *
   * @param nodes how many there are, each with a thread that looks
   */
  void look(int nodes) {
    for (int i = 0; i < 2; i++) { // once so that all of them sleep, once so that all of them look
      ambient.advance(StoreWatch.POLL_INTERVAL);
      ambient.awaitSleep("strowger-store-watch", nodes); // others sleep, too
    }
  }

  static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  private static Json.Obj json(WireResponse response) {
    var out = new ByteArrayOutputStream();
    try (WireBody body = response.body()) {
      body.transferTo(out);
      return (Json.Obj) new JacksonCodec().parse(out.toByteArray());
    } catch (IOException | MalformedJsonException wrong) {
      throw new IllegalStateException(out.toString(StandardCharsets.UTF_8), wrong);
    }
  }

  @Override
  public void close() {
    gateway.close();
  }
}
