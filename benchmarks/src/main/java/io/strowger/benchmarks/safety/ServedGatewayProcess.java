package io.strowger.benchmarks.safety;

import io.strowger.benchmarks.GatewayConfigs;
import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.JvmCounters;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A gateway, started by its command line, and its upstreams, each in a process of its own. */
final class ServedGatewayProcess implements AutoCloseable {
  /** The key of hostile clients. */
  static final String HOSTILE_KEY = "sk-bench-hostile-77";

  /** A key whose limit is slightly more than what the burst of {@link ColdStart} holds. */
  static final String LIMITED_KEY = "sk-bench-limited-12";

  /** The configuration's {@code total_ms}. */
  static final Duration TOTAL_TIMEOUT = Duration.ofMillis(2_500);

  private static final String MAIN = "io.strowger.host.Main";
  private static final String CONFIG =
      """
      {
        "timeouts": { "connect_ms": 1000, "first_content_ms": 2000, "stream_idle_ms": 2000, "total_ms": %d },
        "providers": [ { "slug": "alpha", "protocol": "openai-chat", "base_url": "%s", "api_key": "upstream-key" } ],
        "models": [ %s ],
        "keys": [ { "name": "honest", "key": "%s" }, { "name": "hostile", "key": "%s" },
                  { "name": "limited", "key": "%s", "limit": "0.002" } ]%s
      }
      """;
  private static final String MODEL =
      """
      { "id": "bench/%1$s", "endpoints": [ { "provider": "alpha", "upstream_model": "%1$s",
          "pricing": { "prompt": "0.0000001", "completion": "0.0000002" } } ] }\
      """;

  private final ChildProcess upstream;
  private final ChildProcess gateway;

  private ServedGatewayProcess(ChildProcess upstream, ChildProcess gateway) {
    this.upstream = upstream;
    this.gateway = gateway;
  }

  /**
   * Starts a gateway with a heap of 512 MiB, a store in memory and two processors.
   *
   * @param members the members added to the configuration, each after a comma
   */
  static ServedGatewayProcess start(String members) throws IOException {
    return start(List.of("-Xmx512m"), List.of(), members);
  }

  /**
   * Starts a gateway with two processors.
   *
   * @param options the options of the gateway's virtual machine
   * @param arguments further arguments of {@code serve}
   */
  static ServedGatewayProcess start(List<String> options, List<String> arguments)
      throws IOException {
    return start(options, arguments, "");
  }

  private static ServedGatewayProcess start(
      List<String> options, List<String> arguments, String members) throws IOException {
    ChildProcess upstream = ChildProcess.start(List.of("-Xmx256m"), Upstreams.class.getName());
    try {
      Path file = Files.createTempFile("bench-safety", ".json");
      file.toFile().deleteOnExit();
      Files.writeString(file, config(upstream.uri(), members));
      var command = new ArrayList<>(List.of("serve", "--config", file.toString(), "--port", "0"));
      command.addAll(arguments);
      var jvmOptions =
          new ArrayList<>(List.of("-XX:ActiveProcessorCount=2", JvmCounters.JVM_OPTION));
      jvmOptions.addAll(options);
      return new ServedGatewayProcess(
          upstream, ChildProcess.start(jvmOptions, MAIN, command.toArray(String[]::new)));
    } catch (IOException failure) {
      upstream.close();
      throw failure;
    }
  }

  private static String config(URI upstream, String members) {
    String models =
        Arrays.stream(Upstreams.Behaviour.values())
            .map(behaviour -> MODEL.formatted(behaviour.model()))
            .collect(Collectors.joining(",\n"));
    return CONFIG.formatted(
        TOTAL_TIMEOUT.toMillis(),
        upstream,
        models,
        GatewayConfigs.KEY,
        HOSTILE_KEY,
        LIMITED_KEY,
        members);
  }

  /** Returns the base address of the API. */
  URI api() {
    return gateway.uri();
  }

  URI chat() {
    return URI.create(api() + "/chat/completions");
  }

  /** Returns the id of the gateway's process. */
  long pid() {
    return gateway.pid();
  }

  @Override
  public void close() {
    gateway.close();
    upstream.close();
  }
}
