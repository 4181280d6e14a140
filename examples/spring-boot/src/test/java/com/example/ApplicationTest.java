package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.strowger.core.Gateway;
import io.strowger.core.client.ChatClient;
import io.strowger.spi.observe.CallTracer;
import io.strowger.typed.Records;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;

/** Runs the unchanged application on a free port, with a store in a temporary directory. */
class ApplicationTest {
  private static final String BODY =
      "{\"model\": \"acme/large\", \"stream\": %s, \"messages\": [{\"role\": \"user\", \"content\":"
          + " \"Hi\"}]}";

  @TempDir Path data;

  private final HttpClient client = HttpClient.newHttpClient();
  private ConfigurableApplicationContext context;

  private void start(String... more) {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--server.port=0");
    arguments.add("--strowger.data-dir=" + data.toAbsolutePath());
    context = SpringApplication.run(Application.class, arguments.toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    context.close();
    client.close();
  }

  private HttpRequest.Builder to(String path) {
    var environment = context.getEnvironment();
    return HttpRequest.newBuilder(
            URI.create("http://localhost:" + environment.getProperty("local.server.port") + path))
        .header("Authorization", "Bearer " + environment.getProperty("APP_KEY"));
  }

  private String get(String path) throws Exception {
    return client.send(to(path).build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  private HttpRequest chat(boolean stream) {
    return to("/api/v1/chat/completions")
        .POST(HttpRequest.BodyPublishers.ofString(BODY.formatted(stream)))
        .build();
  }

  @Test
  void answersMetersAndPersistsUsage() throws Exception {
    start();
    assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("boot.version"));
    System.out.println("Boot " + SpringBootVersion.getVersion() + " chose " + versions());

    HttpResponse<String> answer = client.send(chat(false), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("one two three four five six");
    assertThat(get("/ask?question=Hi")).startsWith("one two three four five six ($0.0");

    assertThat(get("/actuator/metrics/strowger.requests")).contains("\"value\":2.0");
    assertThat(get("/actuator/health"))
        .contains("\"status\":\"UP\"", "\"strowger\"", "\"usableEndpoints\":1");
    assertThat(context.getBeanNamesForType(CallTracer.class)).hasSize(1);

    String spent = get("/api/v1/key");
    context.close();
    start();
    assertThat(get("/api/v1/key")).isEqualTo(spent).doesNotContain("\"usage\":0,");
  }

  @Test
  void finishesAStreamBeforeTheApplicationCloses() throws Exception {
    start("--models.pause=500ms");
    HttpResponse<InputStream> response =
        client.send(chat(true), HttpResponse.BodyHandlers.ofInputStream());
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).startsWith("data: ");
      assertThat(context.getBean(Gateway.class).load().inFlight()).isEqualTo(1);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
      List<String> rest = lines.lines().filter(line -> !line.isEmpty()).toList();
      assertThat(rest).anyMatch(line -> line.contains("six"));
      assertThat(rest.get(rest.size() - 1)).isEqualTo("data: [DONE]");
      closing.join();
    }
  }

  record Weather(String city, int celsius) {}

  @Test
  void answersWithARecordAndExportsToDestinations() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    HttpServer destination =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    destination.createContext(
        "/",
        exchange -> {
          received.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    destination.start();
    try {
      String address = "http://127.0.0.1:" + destination.getAddress().getPort();
      String config =
          new ClassPathResource("gateway.json").getContentAsString(StandardCharsets.UTF_8).strip();
      Path file =
          Files.writeString(
              data.resolve("gateway.json"),
              config.substring(0, config.length() - 1)
                  + """
                  , "network": { "allow_private": ["127.0.0.1"] },
                    "observability_destinations": [
                      { "id": "hook", "name": "hook", "type": "webhook", "config": { "url": "%s/hook" } },
                      { "id": "spans", "name": "spans", "type": "langfuse",
                        "config": { "publicKey": "pk", "secretKey": "sk", "baseUrl": "%s" } } ] }
                  """
                      .formatted(address, address));
      start("--strowger.config=file:" + file, "--models.answer={\"city\":\"Bern\",\"celsius\":21}");
      ChatClient chat =
          context
              .getBean(Gateway.class)
              .chat(context.getEnvironment().getRequiredProperty("APP_KEY"));
      Weather weather =
          chat.ask("acme/large")
              .user("The weather in Bern?")
              .call(Records.answer(Weather.class))
              .value();
      assertThat(weather).isEqualTo(new Weather("Bern", 21));
      // OTLP in JSON and in its binary form
      assertThat(received.poll(20, TimeUnit.SECONDS)).contains("The weather in Bern?");
      assertThat(received.poll(20, TimeUnit.SECONDS)).contains("The weather in Bern?");
    } finally {
      destination.stop(0);
    }
  }

  /** Returns the versions that Boot chose for libraries that the gateway needs. */
  private static String versions() throws ClassNotFoundException {
    var chosen = new StringBuilder();
    for (String type :
        List.of(
            "com.fasterxml.jackson.core.JsonFactory",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "com.google.protobuf.Message",
            "com.github.benmanes.caffeine.cache.Caffeine",
            "org.apache.hc.core5.http.HttpHeaders",
            "org.slf4j.Logger",
            "org.h2.Driver",
            "org.postgresql.Driver",
            "io.micrometer.core.instrument.MeterRegistry",
            "io.opentelemetry.api.OpenTelemetry")) {
      Package from = Class.forName(type).getPackage();
      chosen
          .append("\n  ")
          .append(from.getName())
          .append(' ')
          .append(from.getImplementationVersion());
    }
    return chosen.toString();
  }
}
