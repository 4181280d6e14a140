package io.strowger.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.servlet.Container.Settings;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.observe.CallRecord;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Isolated("it reads the logs of the whole process")
@DisplayName("When a client disconnects during a stream")
class ServletClientGoneTest {
  private static final String CHAT = Container.ROOT + "/chat/completions";

  /** So many that the key cannot pay for two requests at once. */
  private static final int TOKENS = 600;

  /** Waits until the request has ended, and asserts that its hold is settled. */
  private static void assertSettled(ServedGateway served) throws Exception {
    assertThat(served.upstream.awaitClientGone(ServedGateway.TIMEOUT)).isTrue();
    CallRecord record = served.records.poll(20, TimeUnit.SECONDS);
    assertThat(record).isNotNull();
    assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
    assertThat(record.cost().nanos()).isPositive();
    served.upstream.script("m", Script.builder().text("paid").tokens(10, 8).build());
    try (var client = new RawClient(served.container.port())) {
      RawClient.Response next =
          client.send("POST", CHAT, ServedGateway.body(TOKENS, false)).response();
      assertThat(next.status()).as(next.body()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"TOMCAT, true", "TOMCAT, false", "JETTY, true", "JETTY, false"})
  @DisplayName("the writes of later events fail, the upstream is aborted, and the hold is settled")
  void disconnects(Container container, boolean async) throws Exception {
    Settings settings = async ? new Settings() : new Settings().synchronous();
    try (var served = new ServedGateway(container, settings);
        var logs = Logs.listen()) {
      served.upstream.script(
          "m",
          Script.builder()
              .text("x".repeat(2_000))
              .chunks(2_000)
              .chunkDelay(Duration.ofMillis(20))
              .build());
      try (var client = new RawClient(served.container.port());
          var other = new RawClient(served.container.port())) {
        client.send("POST", CHAT, ServedGateway.body(TOKENS, true));
        assertThat(client.head().status()).isEqualTo(200);
        client.chunk();
        RawClient.Response refused =
            other.send("POST", CHAT, ServedGateway.body(TOKENS, false)).response();
        assertThat(refused.status()).as("the money is held").isEqualTo(402);
        served.records.take();
        client.reset();
      }
      assertSettled(served);
      assertThat(logs.errors()).filteredOn(line -> !line.contains("asyncSupported")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("over HTTP/2, this is noticed while the upstream is silent")
  void resetsStream(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings());
        var client = HttpClient.newHttpClient();
        var logs = Logs.listen()) {
      served.upstream.script(
          "m",
          Script.builder().text("12345678").chunks(2).fault(new ScriptedFault.Stall(1)).build());
      HttpRequest upgrade = served.to("/models").GET().build();
      assertThat(client.send(upgrade, BodyHandlers.ofString()).version())
          .isEqualTo(HttpClient.Version.HTTP_2);
      HttpResponse<InputStream> answer =
          client.send(served.chat(TOKENS, true), BodyHandlers.ofInputStream());
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      InputStream body = answer.body();
      var read = new StringBuilder();
      while (read.indexOf("1234") < 0) {
        read.append((char) body.read());
      }
      body.close();
      assertSettled(served);
      assertThat(logs.errors()).isEmpty();
    }
  }
}
