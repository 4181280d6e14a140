package io.strowger.benchmarks.http;

import io.strowger.benchmarks.GatewayConfigs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A gateway in a process of its own, started by its command line with a configuration file. For one
 * thread.
 */
public final class GatewayProcess implements AutoCloseable {
  static final String MAIN = "io.strowger.host.Main";

  private final ChildProcess child;
  private final TemporaryFolder folder;
  private final boolean durable;

  private GatewayProcess(ChildProcess child, TemporaryFolder folder, boolean durable) {
    this.child = child;
    this.folder = folder;
    this.durable = durable;
  }

  /**
   * Starts a gateway.
   *
   * @param durable whether it has a data directory of its own; otherwise all is kept in memory
   * @param classPath the class path of the build to start
   */
  public static GatewayProcess start(URI upstream, boolean durable, String classPath)
      throws IOException {
    return start(upstream, durable, classPath, ChildProcess.DEFAULT_OPTIONS);
  }

  /** Starts a gateway in a virtual machine with these options. */
  public static GatewayProcess start(
      URI upstream, boolean durable, String classPath, List<String> options) throws IOException {
    TemporaryFolder folder = TemporaryFolder.create("bench-gateway");
    try {
      Path config =
          Files.writeString(
              folder.path().resolve("gateway.json"),
              GatewayConfigs.file(upstream, Upstream.SHORT, Upstream.LONG));
      var command = new ArrayList<>(List.of("serve", "--config", config.toString(), "--port", "0"));
      if (durable) {
        command.addAll(List.of("--data", folder.path().resolve("data").toString()));
      }
      ChildProcess child =
          ChildProcess.start(options, classPath, MAIN, command.toArray(String[]::new));
      return new GatewayProcess(child, folder, durable);
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  /** Returns the process. */
  public ChildProcess child() {
    return child;
  }

  /** Returns the size of the gateway's data directory in bytes; 0 without one. */
  public long bytesOnDisk() {
    return durable ? folder.bytes() : 0;
  }

  @Override
  public void close() {
    child.close();
    folder.close();
  }
}
