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
 * A complete gateway that a test calls through its HTTP API, without a network. Its two providers
 * answer every request with the word "y" and report ten prompt tokens and one completion token.
 * Single quotes in JSON are replaced by double quotes.
 */
final class TestServer implements AutoCloseable {
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
  final List<Call> calls = new ArrayList<>(); // received by the providers, in order
  final ScriptedTransport destinations = new ScriptedTransport(); // receives the finished calls
  final Map<String, String> headers =
      new TreeMap<>(String.CASE_INSENSITIVE_ORDER); // of all requests

  TestServer(String config) {
    this(config, new MemoryStores(), TestAmbient.at(NOW), SecretKeySource.NONE);
  }

  /** Creates a gateway that shares the stores and the clock of another one. */
  TestServer(String config, TestServer other) {
    this(config, other.stores, other.ambient, SecretKeySource.NONE);
  }

  TestServer(String config, Stores stores, TestAmbient ambient, SecretKeySource secretKey) {
    this.stores = stores;
    this.ambient = ambient;
    this.gateway =
        Gateway.builder(config(config))
            .ambient(ambient)
            .stores(stores)
            .secretKey(secretKey)
            .provider(new Upstreams())
            .destinations(destinations, List.of(new PlainExporters()))
            .build();
  }

  /**
   * Returns the configuration of this class with more members. Finished calls are delivered to
   * destinations at once unless the members contain {@code observability_queue}.
   */
  static GatewayConfig config(String config) {
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

  /** A response: its status and its JSON body. */
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

    /** Returns the message of an error, or an empty string if the response is no error. */
    String message() {
      Json.Obj error = body.object("error");
      return error == null ? "" : Objects.requireNonNullElse(error.text("message"), "");
    }
  }

  /** Sends a request with a key and returns the response. The path may have a query. */
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

  /** Sends a request with the management key of the configuration. */
  Answer manage(String method, String path, String body) {
    return send(ADMIN, method, path, body);
  }

  Answer get(String path) {
    return manage("GET", path, "");
  }

  /** Sends a chat request for a model. */
  Answer ask(String key, String model) {
    return ask(key, model, "");
  }

  /** Sends a chat request for a model, with more members, each preceded by a comma. */
  Answer ask(String key, String model, String members) {
    return send(
        key,
        "POST",
        "/chat/completions",
        "{'model':'%s','max_tokens':16,'messages':[{'role':'user','content':'hi'}]%s}"
            .formatted(model, members));
  }

  /** Returns the provider and the credential of the last upstream call. */
  String lastUpstream() {
    Call call = calls.getLast();
    return call.endpoint().provider().slug() + " " + call.credential().reveal();
  }

  /**
   * Waits until every node has polled the store and so has read what the other nodes wrote.
   *
   * @param nodes the number of nodes that share this clock
   */
  void awaitStorePoll(int nodes) {
    for (int i = 0; i < 2; i++) { // first until all nodes sleep, then until all have polled
      ambient.advance(StoreWatch.POLL_INTERVAL);
      ambient.awaitSleep("strowger-store-watch", nodes); // threads of other names sleep, too
    }
  }

  static Json.Obj json(String text) {
    try {
      return (Json.Obj)
          new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static Json.Obj json(WireResponse response) {
    var out = new ByteArrayOutputStream();
    try (WireBody body = response.body()) {
      body.transferTo(out);
      return (Json.Obj) new JacksonCodec().parse(out.toByteArray());
    } catch (IOException | MalformedJsonException e) {
      throw new IllegalStateException(out.toString(StandardCharsets.UTF_8), e);
    }
  }

  @Override
  public void close() {
    gateway.close();
  }
}
