package io.strowger.host.cli;

import io.strowger.host.demo.TemporaryFolder;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code gateway train}: starts a gateway and sends it typical requests, so that the virtual
 * machine can archive the loaded classes for quicker starts. Only the script {@code ./gateway}
 * calls this command, with the option that makes the virtual machine archive them.
 *
 * <p>It serves a configuration of its own on a free port of loopback, against a simulated provider,
 * with a temporary directory.
 */
@Command(name = "train", hidden = true, description = "Prepares quick starts. For the script.")
final class TrainCommand implements Callable<Integer> {
  /**
   * How often each request is sent: enough that classes which only later requests load are loaded,
   * too.
   */
  private static final int REPETITIONS = 20;

  private static final int PATIENCE_MILLIS = 20_000;

  private static final List<String> ADMIN_PATHS = List.of("/readyz", "/livez", "/metrics");
  private static final List<String> PATHS = List.of("/chat/completions", "/messages", "/responses");

  /**
   * The configuration. No request goes to gamma: its https address makes the start load the trusted
   * certificates, as most gateways do. The admin address makes it load the metrics, as in a
   * container.
   */
  private static final String CONFIG =
      """
      { "server": { "host": "127.0.0.1", "port": 0, "drain_seconds": 1, "admin": { "host": "127.0.0.1", "port": 0 } },
        "providers": [ { "slug": "alpha", "name": "Alpha", "protocol": "openai-chat", "base_url": "%1$s", "api_key": "%2$s" },
                       { "slug": "beta", "name": "Beta", "protocol": "anthropic-messages", "base_url": "%1$s", "api_key": "%2$s" },
                       { "slug": "gamma", "name": "Gamma", "protocol": "openai-chat", "base_url": "https://127.0.0.1", "api_key": "%2$s" } ],
        "models": [ { "id": "acme/large", "endpoints": [
          { "provider": "alpha", "upstream_model": "large", "context_length": 128000, "max_output_tokens": 16384,
            "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] },
                    { "id": "acme/other", "endpoints": [
          { "provider": "beta", "upstream_model": "large", "context_length": 128000, "max_output_tokens": 16384,
            "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
        "keys": [ { "name": "app", "key": "%2$s" } ],
        "credits": "1000" }
      """;

  private final CommandContext context;

  TrainCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException, IOException {
    try (var folder = TemporaryFolder.create("strowger-train")) {
      train(folder.path());
    }
    return CommandLines.DONE;
  }

  private void train(Path folder) throws CommandException, IOException {
    Ambient ambient = context.ambient();
    HexFormat hex = HexFormat.of();
    String key = "sk-train-" + hex.toHexDigits(ambient.seed()) + hex.toHexDigits(ambient.seed());
    Path config = folder.resolve("gateway.json");
    try (SimulatedUpstream upstream = SimulatedUpstream.start(ambient)) {
      upstream.script("large", Script.builder().text("Good morning.").chunks(3).build());
      Files.writeString(config, CONFIG.formatted(upstream.baseUri(), key));
      var options = new ServedGateway.Options(null, null, folder.resolve("data"), null);
      try (ServedGateway serving = ServedGateway.start(new ConfigFile(config, context), options)) {
        ask(serving.uri(), key);
        for (String path : ADMIN_PATHS) {
          URI admin = URI.create("http://127.0.0.1:" + serving.adminPort());
          send(admin, "GET " + path, key, "");
        }
      }
    }
  }

  private static void ask(URI api, String key) throws IOException {
    for (int i = 0; i < REPETITIONS; i++) {
      for (String path : PATHS) {
        String question =
            path.equals("/responses")
                ? "\"input\":\"Hello\""
                : "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]";
        String body =
            "{\"model\":\"acme/%s\",\"max_tokens\":64,\"stream\":%s,%s}"
                .formatted(i % 3 == 2 ? "other" : "large", i % 2 == 1, question);
        send(api, "POST " + api.getPath() + path, key, body);
      }
      send(api, "GET " + api.getPath() + "/models", key, "");
      send(api, "GET /readyz", key, "");
    }
  }

  private static void send(URI api, String start, String key, String body) throws IOException {
    String request =
        "%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            .formatted(start, api.getAuthority(), key, body.length(), body);
    try (var socket = new Socket(api.getHost(), api.getPort());
        InputStream in = socket.getInputStream()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (!answer.startsWith("HTTP/1.1 200 ")) {
        throw new IOException(start + " was answered with " + answer.lines().findFirst());
      }
    }
  }
}
