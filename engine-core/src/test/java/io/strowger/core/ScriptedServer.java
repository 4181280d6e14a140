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
 * A complete gateway with one scripted upstream, for tests of rate limits, content filters and the
 * response cache. Its keys are sk-one, sk-two and, for management, sk-admin; its models acme/large
 * and acme/small:free. Single quotes in JSON are replaced by double quotes.
 */
final class ScriptedServer implements AutoCloseable {
  final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  final ScriptedProvider upstream = new ScriptedProvider(ambient);
  final List<CallRecord> records = Collections.synchronizedList(new ArrayList<>());
  final Gateway gateway;

  /**
   * @param members more members of the configuration, each preceded by a comma
   */
  ScriptedServer(String members) {
    gateway =
        Gateway.builder(config(members))
            .provider(new Factory())
            .ambient(ambient)
            .sink(records::add)
            .build();
  }

  /** Returns the configuration with more members; pass it to a reload to change them. */
  static GatewayConfig config(String members) {
    String file =
        """
        {'providers': [{'slug': 'alpha', 'protocol': 'openai-chat', 'base_url': 'http://127.0.0.1:1'}],
         'models': [{'id': 'acme/large', 'endpoints': [{'provider': 'alpha',
                     'pricing': {'prompt': '0.000001', 'completion': '0.000002'}}]},
                    {'id': 'acme/small:free', 'endpoints': [{'provider': 'alpha'}]}],
         'keys': [{'name': 'one', 'key': 'sk-one'}, {'name': 'two', 'key': 'sk-two'},
                  {'name': 'admin', 'key': 'sk-admin', 'management': true}]%s}
        """
            .formatted(members)
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

  /** Builds and sends one request. */
  final class RequestBuilder {
    private final Map<String, String> headers = new HashMap<>();
    private final String method;
    private final String path;
    private final String query;
    private final String body;

    private RequestBuilder(String method, String path, String query, String body) {
      this.method = method;
      this.query = query;
      this.path = path;
      this.body = body.replace('\'', '"');
      key("sk-one");
    }

    RequestBuilder header(String name, String value) {
      headers.put(name.toLowerCase(Locale.ROOT), value);
      return this;
    }

    RequestBuilder key(String key) {
      return header("authorization", "Bearer " + key);
    }

    /** Asks for an answer from the response cache. */
    RequestBuilder cached() {
      return header("x-router-cache", "true");
    }

    /** Sends the request, and returns the response with its body still to be read. */
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

    /** Sends the request and reads the whole response. */
    TestResponse send() {
      WireResponse response = open();
      var out = new ByteArrayOutputStream();
      try (WireBody answer = response.body()) {
        answer.transferTo(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new TestResponse(response, out.toString(StandardCharsets.UTF_8));
    }
  }

  /** A response whose body was read to its end. */
  record TestResponse(WireResponse response, String text) {
    int status() {
      return response.status();
    }

    @Nullable String header(String name) {
      return response.headers().get(name);
    }

    /** Returns HIT or MISS, or null if the cache was not used. */
    @Nullable String cacheStatus() {
      return header("X-Router-Cache-Status");
    }

    /** Returns the nested object that is reached by following these member names. */
    Json.Obj at(String... names) {
      Json.Obj object = json();
      for (String name : names) {
        object = Objects.requireNonNull(object.object(name), name);
      }
      return object;
    }

    Json.Obj json() {
      try {
        return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
      } catch (MalformedJsonException e) {
        throw new IllegalArgumentException(text, e);
      }
    }
  }

  RequestBuilder post(String path, String body) {
    return new RequestBuilder("POST", path, "", body);
  }

  RequestBuilder get(String path, String query) {
    return new RequestBuilder("GET", path, query, "");
  }

  RequestBuilder postChat(String body) {
    return post("/chat/completions", body);
  }

  /** Returns a chat request to acme/large with one user message. */
  RequestBuilder prompt(String text) {
    return postChat("{'model':'acme/large','messages':[{'role':'user','content':'" + text + "'}]}");
  }

  /** Returns the request of {@link #prompt} with streaming. */
  RequestBuilder streamingPrompt(String text) {
    return postChat(
        "{'model':'acme/large','stream':true,'messages':[{'role':'user','content':'"
            + text
            + "'}]}");
  }

  /** Answers every request that the script no longer covers with a stream of these steps. */
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
