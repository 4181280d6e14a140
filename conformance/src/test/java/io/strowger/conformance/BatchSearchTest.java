package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.strowger.conformance.PluginGateway.TestResponse;
import io.strowger.core.config.Plugins;
import io.strowger.plugins.web.WebProvider;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.simulated.Script;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.store.Charge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that "gateway-run search is not available in batches". Resources fact sheet, section 6. */
@DisplayName("A web search in a batch")
class BatchSearchTest {
  private static final String MODELS =
      """
      [{'id':'acme/one','endpoints':[{'provider':'alpha','upstream_model':'m',
         'pricing':{'prompt':'0.000001','completion':'0.000001'}}]},
       {'id':'acme/searching','endpoints':[{'provider':'alpha','upstream_model':'m',
         'supported_parameters':['max_tokens','tools','web_search_options'],
         'pricing':{'prompt':'0.000001','completion':'0.000001','web_search':'0.01'}}]}]
      """;

  private final AtomicInteger searches = new AtomicInteger();
  private final ApacheTransport transport = new ApacheTransport();
  private HttpServer service;

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/",
        exchange -> {
          searches.incrementAndGet();
          byte[] answer = "{\"list\":[]}".getBytes(StandardCharsets.UTF_8);
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

  private PluginGateway gateway(String more, Plugins plugins) {
    String section =
        "{'settings':{'web':{'engines':[{'name':'house','kind':'json',"
            + "'url':'http://127.0.0.1:%d/?q={query}','results':'/list'}]}}%s}"
                .formatted(service.getAddress().getPort(), more);
    var gateway = new PluginGateway(MODELS, section, plugins.add(new WebProvider(transport)));
    gateway.upstream.script("m", Script.answer("It rains."));
    return gateway;
  }

  /** Creates a batch of one request, and returns the result when it is there. */
  private static JsonNode result(PluginGateway gateway, String path, String model, String members)
      throws IOException {
    String input = path.equals("responses") ? "input" : "messages";
    String body =
        "{'%s':[{'role':'user','content':'Does it rain?'}],%s%s}"
            .formatted(input, path.equals("messages") ? "'max_tokens':100," : "", members);
    String batch =
        "{'endpoint':'/v1/%s','model':'%s','requests':[{'custom_id':'a','body':%s}]}"
            .formatted(path, model, body.replace(",}", "}"));
    TestResponse created = gateway.post("/batches", batch.replace('\'', '"'));
    assertThat(created.status()).as(created.text()).isEqualTo(202);
    String id = DialectClient.parse(created.text()).path("id").asText();
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() - deadline < 0) {
      JsonNode now = DialectClient.parse(gateway.get("/batches/" + id).text());
      if (now.path("results").size() == 1) {
        return now.path("results").path(0);
      }
      assertThat(now.path("status").asText()).as(now.toString()).isNotEqualTo("failed");
      Thread.onSpinWait();
    }
    throw new AssertionError("the batch has not ended");
  }

  @ParameterizedTest(name = "at {0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "chat/completions | acme/one:online | `` | /model",
        "chat/completions | acme/one | 'plugins':[{'id':'web'}] | /plugins/0",
        "chat/completions | acme/one | 'tools':[{'type':'router:web_search'}] | /tools/0",
        "chat/completions | acme/one |"
            + " 'tools':[{'type':'web_search','parameters':{'engine':'exa'}}] | /tools/0",
        "messages | acme/one:online | `` | /model",
        "messages | acme/one | 'tools':[{'type':'router:web_search'}] |" + " /tools/0",
        "responses | acme/one | 'plugins':[{'id':'web'}] | /plugins/0",
        "responses | acme/one | 'tools':[{'type':'web_search'}] | /tools/0",
      })
  @DisplayName("that the gateway would run is an error of its request, and no upstream is called")
  void refused(String path, String model, String members, String at) throws IOException {
    try (var gateway = gateway("", Plugins.none())) {
      JsonNode error = result(gateway, path, model, members).path("error");
      assertThat(error.path("type").asText()).as(error.toString()).isEqualTo("invalid_request");
      assertThat(error.path("param").asText()).isEqualTo(at);
      assertThat(error.path("message").asText()).contains("in a batch");
      assertThat(searches).hasValue(0);
      assertThat(gateway.upstreamBodies()).isEmpty();
      assertThat(gateway.account().settled()).isEqualTo(Charge.ZERO);
    }
  }

  @ParameterizedTest(name = "at {0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "chat/completions | acme/searching:online | ``",
        "chat/completions | acme/searching | 'plugins':[{'id':'web'}]",
        "chat/completions | acme/searching | 'plugins':[{'id':'web','engine':'native'}]",
        "chat/completions | acme/searching | 'tools':[{'type':'router:web_search'}]",
        "messages | acme/searching | 'tools':[{'type':'router:web_search'}]",
        "responses | acme/searching | 'tools':[{'type':'web_search'}]",
      })
  @DisplayName("that the provider can run itself is left to the provider")
  void leftToProvider(String path, String model, String members) throws IOException {
    try (var gateway = gateway("", Plugins.none())) {
      JsonNode result = result(gateway, path, model, members);
      assertThat(result.path("response").path("status_code").asInt())
          .as(result.toString())
          .isEqualTo(200);
      assertThat(gateway.upstreamBodies()).hasSize(1);
      assertThat(gateway.upstreamBodies().getFirst().has("web_search_options")).isTrue();
      assertThat(searches).hasValue(0);
    }
  }

  @Test
  @DisplayName("that only the account's defaults ask for is left out")
  void accountDefault() throws IOException {
    try (var gateway = gateway(",'defaults':[{'id':'web'}]", Plugins.none())) {
      JsonNode result = result(gateway, "chat/completions", "acme/one", "");
      assertThat(result.path("response").path("status_code").asInt())
          .as(result.toString())
          .isEqualTo(200);
      assertThat(searches).hasValue(0);
    }
  }

  /** Records the tools that inner calls are offered. */
  private record Spy(List<String> seen) implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.interceptor("spy").order(400).build();
    }

    @Override
    public Interceptor create(PluginConfig config, Catalog catalog) {
      return (request, chain) -> {
        seen.add(chain.isOfBatch() + " " + new TreeSet<>(chain.innerTools()));
        return chain.proceed(request);
      };
    }
  }

  @Test
  @DisplayName("is not offered to inner calls as a tool")
  void innerCalls() throws IOException {
    var seen = new CopyOnWriteArrayList<String>();
    try (var gateway = gateway(",'defaults':[{'id':'spy'}]", Plugins.none().add(new Spy(seen)))) {
      gateway.post(
          "/chat/completions",
          "{'model':'acme/one','messages':[{'role':'user','content':'x'}]}".replace('\'', '"'));
      result(gateway, "chat/completions", "acme/one", "");
      assertThat(seen).containsExactly("false [router:web_search]", "true []");
    }
  }
}
