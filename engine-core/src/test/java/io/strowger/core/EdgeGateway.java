package io.strowger.core;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.Step;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A whole gateway before one scripted upstream, for what stands around requests: limits, filters
 * and the cache. Keys are sk-one and sk-two; models acme/large and acme/small:free. JSON has single
 * quotes.
 */
final class EdgeGateway implements AutoCloseable {
  final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  final ScriptedProvider upstream = new ScriptedProvider(ambient);
  final List<CallRecord> records = Collections.synchronizedList(new ArrayList<>());
  final Gateway gateway;

  /**
   * @param more members of the configuration, each with a comma before it
   */
  EdgeGateway(String more) {
    gateway =
        Gateway.builder(config(more))
            .provider(new Factory())
            .ambient(ambient)
            .sink(records::add)
            .build();
  }

  /** The configuration, for a reload with other members. */
  static GatewayConfig config(String more) {
    String file =
        """
        {'providers': [{'slug': 'alpha', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:1'}],
         'models': [{'id': 'acme/large', 'endpoints': [{'provider': 'alpha',
                     'pricing': {'prompt': '0.000001', 'completion': '0.000002'}}]},
                    {'id': 'acme/small:free', 'endpoints': [{'provider': 'alpha'}]}],
         'keys': [{'name': 'one', 'key': 'sk-one'}, {'name': 'two', 'key': 'sk-two'},
                  {'name': 'admin', 'key': 'sk-admin', 'management': true}]%s}
        """
            .formatted(more)
            .replace('\'', '"');
    return ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  private final class Factory implements ProviderFactory {
    @Override
    public String protocol() {
      return "openai-chat";
    }

    @Override
    public ChatProvider create(ProviderSettings settings) {
      return upstream;
    }
  }

  /** A request in the making. */
  final class Ask {
    private final Map<String, String> headers = new HashMap<>();
    private final String method;
    private final String path;
    private final String query;
    private final String body;

    private Ask(String method, String path, String query, String body) {
      this.method = method;
      this.query = query;
      this.path = path;
      this.body = body.replace('\'', '"');
      key("sk-one");
    }

    Ask header(String name, String value) {
      headers.put(name.toLowerCase(Locale.ROOT), value);
      return this;
    }

    Ask key(String key) {
      return header("authorization", "Bearer " + key);
    }

    Ask cached() {
      return header("x-router-cache", "true");
    }

    WireResponse open() {
      return gateway
          .wire()
          .handle(
              new WireRequest(
                  method,
                  path,
                  query,
                  name -> headers.get(name.toLowerCase(Locale.ROOT)),
                  new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                  new Cancellation()));
    }

    Heard send() {
      WireResponse response = open();
      var out = new ByteArrayOutputStream();
      try (WireBody answer = response.body()) {
        answer.transferTo(out);
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
      return new Heard(response, out.toString(StandardCharsets.UTF_8));
    }
  }

  /** What came back. */
  record Heard(WireResponse response, String text) {
    int status() {
      return response.status();
    }

    @Nullable String header(String name) {
      return response.headers().get(name);
    }

    /** What the cache had: HIT, MISS, or null. */
    @Nullable String cache() {
      return header("X-Router-Cache-Status");
    }

    /** The object within the document that these names lead to. */
    Json.Obj at(String... names) {
      Json.Obj at = json();
      for (String name : names) {
        at = Objects.requireNonNull(at.object(name), name);
      }
      return at;
    }

    Json.Obj json() {
      try {
        return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
      } catch (MalformedJsonException wrong) {
        throw new IllegalArgumentException(text, wrong);
      }
    }
  }

  Ask ask(String path, String body) {
    return new Ask("POST", path, "", body);
  }

  Ask get(String path, String query) {
    return new Ask("GET", path, query, "");
  }

  Ask chat(String body) {
    return ask("/chat/completions", body);
  }

  /** A user says this to acme/large. */
  Ask says(String text) {
    return chat("{'model':'acme/large','messages':[{'role':'user','content':'" + text + "'}]}");
  }

  /** The same, to be answered piece by piece. */
  Ask saysStreaming(String text) {
    return chat(
        "{'model':'acme/large','stream':true,'messages':[{'role':'user','content':'"
            + text
            + "'}]}");
  }

  /** When the script is used up, a stream of these steps. */
  void always(Step... steps) {
    List<Step> fixed = List.of(steps);
    upstream.always(call -> fixed);
  }

  List<Call> calls() {
    return upstream.calls();
  }

  @Override
  public void close() {
    gateway.close();
    ambient.assertNoThreadsLeft();
  }
}
