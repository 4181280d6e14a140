package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.strowger.conformance.PluginGateway.TestResponse;
import io.strowger.core.config.Plugins;
import io.strowger.core.wire.WireResponse;
import io.strowger.plugins.web.WebProvider;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.store.Charge;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A web search")
class SearchPathsTest {
  private static final String MODELS =
      """
      [{'id':'acme/one','endpoints':[{'provider':'alpha','upstream_model':'m',
         'pricing':{'prompt':'0.000001','completion':'0.000001'}}]}]
      """;
  private static final String RESULTS =
      "{\"list\":[{\"url\":\"https://a.example/rain\",\"title\":\"Rain\",\"text\":\"It rains.\"}]}";

  private final List<String> searches = Collections.synchronizedList(new ArrayList<>());
  private final ApacheTransport transport = new ApacheTransport();
  private HttpServer service;

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/",
        exchange -> {
          searches.add(exchange.getRequestURI().toString());
          byte[] answer = RESULTS.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    service.start();
  }

  @AfterEach
  void stop() {
    transport.close();
    service.stop(0);
  }

  private String engine() {
    return "'settings':{'web':{'engines':[{'name':'house','kind':'json','url':'http://127.0.0.1:%d/?q={query}','results':'/list','price_per_request':'0.002'}]}}"
        .formatted(service.getAddress().getPort());
  }

  private PluginGateway gateway(String section, WebProvider provider) {
    return new PluginGateway(MODELS, "{" + section + "}", Plugins.none().add(provider));
  }

  private static String body(String path, String model, boolean stream, String members) {
    return "{'model':'%s','%s':[{'role':'user','content':'Does it rain?'}],'stream':%s%s%s}"
        .formatted(
            model,
            path.equals("/responses") ? "input" : "messages",
            stream,
            path.equals("/messages") ? ",'max_tokens':100" : "",
            members)
        .replace('\'', '"');
  }

  @Proves({
    "routing.variant.online",
    "plugins.common.slugs",
    "plugins.pipeline.plugin",
    "plugins.web.once",
    "plugins.web.prices"
  })
  @AtEveryPathAndStreaming
  @DisplayName("is run for a suffix, a plugin and a tool at every path, cited and billed")
  void everyPath(String path, boolean stream) throws IOException {
    try (var gateway = gateway(engine(), new WebProvider(transport))) {
      List<String> bodies =
          List.of(
              body(path, "acme/one:online", stream, ""),
              body(path, "acme/one", stream, ",'plugins':[{'id':'web'}]"),
              body(path, "acme/one", stream, ",'tools':[{'type':'router:web_search'}]"));
      for (int i = 0; i < bodies.size(); i++) {
        if (i == 2) {
          gateway.upstream.answerNextWith(
              Script.builder()
                  .text("")
                  .toolCall("call_1", "web_search", "{\"query\":\"rain\"}")
                  .build());
        }
        gateway.upstream.answerNextWith(Script.builder().text("Yes.").chunks(1).build());
        long before = gateway.account().settled().credits().nanos();
        TestResponse response = gateway.post(path, bodies.get(i));
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(gateway.upstream.last().text()).contains("It rains.");
        assertThat(response.text()).contains("Yes.").contains("https://a.example/rain");
        assertThat(gateway.account().settled().credits().nanos() - before)
            .isBetween(2_000_000L, 2_900_000L);
      }
      assertThat(searches).hasSize(3);
    }
  }

  @Proves("plugins.common.unpaid-failure")
  @AtEveryPathAndStreaming
  @DisplayName("is billed exactly, and nothing stays held, if the model fails after it")
  void modelFails(String path, boolean stream) throws IOException {
    for (ScriptedFault scriptedFault :
        List.of(
            new ScriptedFault.RawResponse(500, Map.of(), "{}"),
            new ScriptedFault.Cut(0),
            new ScriptedFault.Garbage(0))) {
      try (var gateway = gateway(engine(), new WebProvider(transport))) {
        gateway.upstream.script("m", Script.failing(scriptedFault));
        TestResponse response = gateway.post(path, body(path, "acme/one:online", stream, ""));
        assertThat(response.text()).contains("error");
        assertThat(gateway.account().settled().credits().nanos()).isEqualTo(2_000_000L);
        assertThat(gateway.account().held()).isEqualTo(Charge.ZERO);
      }
    }
  }

  @AtEveryPath
  @DisplayName("is billed, and nothing stays held, if the caller disconnects after it")
  void callerDisconnects(String path) throws IOException {
    try (var gateway = gateway(engine(), new WebProvider(transport))) {
      gateway.upstream.script("m", Script.builder().text("Yes, it does.").chunks(4).build());
      WireResponse response = gateway.open(path, body(path, "acme/one:online", true, ""));
      var first = new ByteArrayOutputStream();
      response.body().writeNext(first);
      response.body().close();
      assertThat(searches).hasSize(1);
      assertThat(gateway.account().settled().credits().nanos()).isBetween(2_000_000L, 2_900_000L);
    }
  }

  @Test
  @DisplayName("that is a default without an engine makes the configuration invalid")
  void defaultWithoutEngine() {
    assertThatThrownBy(() -> gateway("'defaults':[{'id':'web'}]", new WebProvider(transport)))
        .hasMessageContaining("/plugins/defaults/0")
        .hasMessageContaining("search.engines");
  }

  @Test
  @DisplayName(
      "that is a default and cannot be run does no harm to requests that do not ask for it")
  void defaultThatCannotRun() throws IOException {
    try (var gateway = gateway("'defaults':[{'id':'web'}]," + engine(), new WebProvider())) {
      gateway.upstream.script("m", Script.answer("Perhaps."));
      String path = "/chat/completions";
      assertThat(gateway.post(path, body(path, "acme/one", false, "")).status()).isEqualTo(200);
      TestResponse named =
          gateway.post(path, body(path, "acme/one", false, ",'plugins':[{'id':'web'}]"));
      assertThat(named.status()).isEqualTo(400);
      assertThat(named.text()).contains("/plugins/0");
      assertThat(gateway.post(path, body(path, "acme/one:online", false, "")).status())
          .isEqualTo(400);
    }
  }
}
