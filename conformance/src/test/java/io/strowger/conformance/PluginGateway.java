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
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.json.Json;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A gateway with plugins and one simulated provider, for requests of every dialect. */
final class PluginGateway implements AutoCloseable {
  final TestAmbient ambient = TestAmbient.realTime();
  final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  final Gateway gateway;

  /** A response of the gateway. */
  record TestResponse(int status, String text) {
    Json.Obj json() {
      try {
        return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
      } catch (MalformedJsonException e) {
        throw new AssertionError(text, e);
      }
    }
  }

  /**
   * @param models the section {@code models} of the configuration, in JSON with single quotes; its
   *     endpoints are of provider alpha
   * @param section the section {@code plugins}, in the same form
   */
  PluginGateway(String models, String section, Plugins plugins) {
    String document =
        """
        {'providers':[{'slug':'alpha','name':'Alpha','protocol':'openai-chat','base_url':'%s'}],
         'models':%s,'plugins':%s,'keys':[{'name':'app','key':'%s'}]}
        """
            .formatted(upstream.baseUri(), models, section, Fixtures.APP_KEY)
            .replace('\'', '"');
    gateway =
        Gateway.builder(
                new ConfigReader(new JacksonCodec(), name -> null)
                    .read(document.getBytes(StandardCharsets.UTF_8))
                    .orThrow())
            .provider(new OpenAiChatFactory())
            .plugins(plugins)
            .ambient(ambient)
            .build();
  }

  /** Sends a request, and returns the response unread. */
  WireResponse open(String path, String body) {
    return open("POST", path, body);
  }

  private WireResponse open(String method, String path, String body) {
    Map<String, String> headers =
        Map.of("authorization", "Bearer " + Fixtures.APP_KEY, "x-router-metadata", "enabled");
    return gateway
        .wire()
        .handle(
            new WireRequest(
                method,
                path,
                "",
                name -> headers.get(name.toLowerCase(Locale.ROOT)),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                new Cancellation()));
  }

  TestResponse post(String path, String body) throws IOException {
    return read(open(path, body));
  }

  TestResponse get(String path) throws IOException {
    return read(open("GET", path, ""));
  }

  private static TestResponse read(WireResponse response) throws IOException {
    var out = new ByteArrayOutputStream();
    try (WireBody answer = response.body()) {
      answer.transferTo(out);
    }
    return new TestResponse(response.status(), out.toString(StandardCharsets.UTF_8));
  }

  /** Returns the bodies of the requests that the upstream got. */
  List<Json.Obj> upstreamBodies() {
    return upstream.received().stream()
        .map(receivedRequest -> new TestResponse(0, receivedRequest.text()).json())
        .toList();
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
