package io.strowger.spring;

import io.strowger.core.Gateway;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A running Spring Boot application with a gateway. */
final class Application implements AutoCloseable {
  static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
  static final String ADMIN_KEY = "sk-admin-0123456789abcdef0123456789abcd";
  static final String CHAT =
      """
      {"model": "acme/large", "messages": [{"role": "user", "content": "Hello"}]}\
      """;
  static final String STREAMED = CHAT.replace("{\"model\"", "{\"stream\": true, \"model\"");

  final ConfigurableApplicationContext context;

  private Application(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** An application without beans of its own. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Plain {}

  /** Returns a configuration with one model at this address, with its key from a variable. */
  static String config(String baseUrl) {
    return """
    {
      "providers": [
        { "slug": "alpha", "name": "Alpha", "protocol": "openai-chat", "base_url": "%s", "api_key": "${ALPHA_KEY}" }
      ],
      "models": [
        { "id": "acme/large",
          "endpoints": [
            { "provider": "alpha", "upstream_model": "large",
              "pricing": { "prompt": "0.000001", "completion": "0.000002" } }
          ] }
      ],
      "keys": [
        { "name": "app", "key": "%s" },
        { "name": "admin", "key": "%s", "management": true }
      ]
    }
    """
        .formatted(baseUrl, KEY, ADMIN_KEY);
  }

  static SimulatedUpstream upstream() {
    return SimulatedUpstream.start(TestAmbient.realTime());
  }

  /** Starts an application whose configuration is written to a folder. */
  static Application start(Path folder, String config, Class<?> beans, String... properties)
      throws IOException {
    Path file = folder.resolve("gateway.json");
    Files.writeString(file, config);
    List<String> all = new ArrayList<>();
    all.add("strowger.config=" + file.toUri());
    all.add("ALPHA_KEY=sk-of-the-environment");
    all.addAll(Arrays.asList(properties));
    return start(beans, all.toArray(String[]::new));
  }

  /** Starts an application with only these properties. */
  static Application start(Class<?> beans, String... properties) {
    return new Application(
        new SpringApplicationBuilder(Plain.class, beans)
            .properties(
                "server.port=0",
                "server.address=127.0.0.1",
                "spring.main.banner-mode=off",
                "management.endpoints.web.exposure.include=health,metrics",
                "management.endpoint.health.show-details=always",
                "logging.level.root=warn")
            .properties(properties)
            .run());
  }

  Gateway gateway() {
    return context.getBean(Gateway.class);
  }

  URI uri(String path) {
    String port = context.getEnvironment().getProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + path);
  }

  HttpResponse<String> get(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + KEY).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  HttpRequest chat(String path, String body) {
    return HttpRequest.newBuilder(uri(path + "/chat/completions"))
        .header("Authorization", "Bearer " + KEY)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(chat(path, body), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
