package io.strowger.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.strowger.core.client.ChatClient;
import io.strowger.core.client.ChatStream;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("The shutdown of an application")
class ShutdownTest {
  @TempDir Path folder;

  /** Returns what a client reads of a stream during which the application is closed. */
  private String readWhileClosing(Script script, String... properties) throws Exception {
    try (SimulatedUpstream upstream = Application.upstream();
        HttpClient client = HttpClient.newHttpClient()) {
      upstream.script("large", script);
      Application application =
          Application.start(
              folder,
              Application.config(upstream.baseUri().toString()),
              Application.Plain.class,
              properties);
      HttpResponse<InputStream> response =
          client.send(
              application.chat("/api/v1", Application.STREAMED),
              HttpResponse.BodyHandlers.ofInputStream());
      try (var reader =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
        var read = new StringBuilder(reader.readLine()).append('\n');
        CompletableFuture<Void> closing = CompletableFuture.runAsync(application::close);
        reader.lines().forEach(line -> read.append(line).append('\n'));
        closing.join();
        return read.toString();
      }
    }
  }

  private static Script.Builder slow(Duration pause) {
    return Script.builder().text("one two three four five six").chunks(6).chunkDelay(pause);
  }

  @Test
  @DisplayName("lets a stream over HTTP complete")
  void overHttp() throws Exception {
    assertThat(readWhileClosing(slow(Duration.ofMillis(150)).build()))
        .contains("six")
        .endsWith("data: [DONE]\n\n");
  }

  @Test
  @DisplayName("lets a stream inside the application complete, though no web server waits for it")
  void inProcess() throws Exception {
    try (SimulatedUpstream upstream = Application.upstream()) {
      upstream.script("large", slow(Duration.ofMillis(150)).build());
      Application application =
          Application.start(
              folder,
              Application.config(upstream.baseUri().toString()),
              Application.Plain.class,
              "spring.main.web-application-type=none");
      ChatClient chat = application.gateway().chat(Application.KEY);
      try (ChatStream stream = chat.ask("acme/large").user("Count").stream()) {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(application::close);
        assertThat(String.join("", stream.text())).isEqualTo("one two three four five six");
        stream.close();
        closing.join();
      }
    }
  }

  @Test
  @DisplayName("ends a stream with an error if it does not complete in time")
  void tooSlow() throws Exception {
    assertThat(
            readWhileClosing(
                slow(Duration.ofSeconds(20)).build(), "strowger.shutdown-timeout=100ms"))
        .contains("\"error\"")
        .doesNotContain("six");
  }

  @Test
  @DisplayName("has a timeout: a warning is logged at the start if Spring would cut it short")
  void longerThanSpringWaits() throws Exception {
    try (Application application =
        Application.start(
            folder,
            Application.config("http://127.0.0.1:1/v1"),
            WarningRecorder.class,
            "spring.main.web-application-type=none",
            "strowger.shutdown-timeout=10s",
            "spring.lifecycle.timeout-per-shutdown-phase=10s")) {
      assertThat(application.context.getBean(WarningRecorder.class).warnings.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .anyMatch(
              line ->
                  line.startsWith("strowger.shutdown-timeout (PT10S) must be shorter than")
                      && line.contains("timeout-per-shutdown-phase (PT10S)"));
    }
  }

  /** Records the log of the starter, from before it creates the gateway. */
  @Configuration(proxyBeanMethods = false)
  static class WarningRecorder {
    final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

    @Bean
    GatewayBuilderCustomizer listening() {
      return builder -> {
        warnings.start();
        ((Logger) LoggerFactory.getLogger(StrowgerAutoConfiguration.class)).addAppender(warnings);
      };
    }
  }
}
