package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.observe.CallRecord;
import io.strowger.tck.TestAmbient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A stream that outlasts the drain time of a host that is closed")
class ShutdownStreamTest {
  private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  private static final String CONFIG =
      """
      { "providers": [ { "slug": "alpha", "name": "Alpha Provider", "protocol": "openai-chat", "base_url": "%s" } ],
        "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "m",
            "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
        "keys": [ { "name": "app", "key": "%s" } ] }
      """;

  @ParameterizedTest
  @CsvSource({
    "/chat/completions, finish_reason",
    "/messages, overloaded_error",
    "/responses, response.failed"
  })
  @DisplayName("ends in an error that reports the shutdown and names no provider, and is charged")
  void ends(String path, String errorMark) throws Exception {
    var ambient = TestAmbient.realTime();
    var records = new ConcurrentLinkedQueue<CallRecord>();
    try (var upstream = SimulatedUpstream.start(ambient)) {
      upstream.script(
          "m",
          Script.builder().text("12345678").chunks(2).fault(new ScriptedFault.Stall(1)).build());
      try (Gateway gateway =
          Gateway.builder(
                  ConfigReader.standard()
                      .read(
                          CONFIG
                              .formatted(upstream.baseUri(), KEY)
                              .getBytes(StandardCharsets.UTF_8))
                      .orThrow())
              .provider(new OpenAiChatFactory())
              .sink(records::add)
              .ambient(ambient)
              .build()) {
        var settings = new HttpHost.Settings("127.0.0.1", 0, 1_000_000, Duration.ofMillis(50));
        HttpHost host = HttpHost.start(gateway.wire()::handle, settings, ambient);
        try (var client = new RawClient(host.port())) {
          client.send(request(path));
          client.head();
          var body = new StringBuilder();
          while (body.indexOf("1234") < 0) {
            body.append(client.chunk());
          }
          host.close();
          var rest = new StringBuilder();
          for (String chunk = client.chunk(); !chunk.isEmpty(); chunk = client.chunk()) {
            rest.append(chunk);
          }
          assertThat(rest)
              .contains("The gateway is shutting down", errorMark)
              .doesNotContain("Provider returned error", "Alpha", "provider_name");
        }
      }
      assertThat(records).hasSize(1);
      assertThat(records.element().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      assertThat(records.element().cost().nanos()).isPositive();
    }
  }

  private static String request(String path) {
    String members =
        path.equals("/responses")
            ? "\"input\":\"Hello\""
            : "\"max_tokens\":64,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]";
    String body = "{\"model\":\"acme/large\",\"stream\":true," + members + "}";
    return "POST %s%s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(HttpHost.ROOT, path, KEY, body.length(), body);
  }
}
