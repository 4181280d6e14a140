package io.strowger.benchmarks.http;

import io.strowger.benchmarks.GatewayConfigs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The gateway as anybody would serve it: its own command line and a configuration file. */
final class GatewayProcess {
  private static final String MAIN = "io.strowger.host.Main";

  private GatewayProcess() {}

  static Child start(URI upstream) throws IOException {
    Path file = Files.createTempFile("bench-gateway", ".json");
    file.toFile().deleteOnExit();
    Files.writeString(file, GatewayConfigs.file(upstream, Upstream.SHORT, Upstream.LONG));
    return Child.start(MAIN, "serve", "--config", file.toString(), "--port", "0");
  }
}
