package io.strowger.benchmarks.http;

import io.strowger.benchmarks.GatewayConfigs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The gateway as anybody would serve it: its own command line and a configuration file, in a
 * process of its own. For one thread.
 */
public final class GatewayProcess implements AutoCloseable {
  private static final String MAIN = "io.strowger.host.Main";
  private final Child child;
  private final TemporaryFolder folder;
  private final boolean durable;

  private GatewayProcess(Child child, TemporaryFolder folder, boolean durable) {
    this.child = child;
    this.folder = folder;
    this.durable = durable;
  }

  /**
   * Starts one that forgets everything, or keeps it in a data directory of its own.
   *
   * @param classPath of the build that is to serve
   */
  public static GatewayProcess start(URI upstream, boolean durable, String classPath)
      throws IOException {
    return start(upstream, durable, classPath, Child.USUAL_OPTIONS);
  }

  /** The same, in a virtual machine with these options. */
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
      Child child = Child.start(options, classPath, MAIN, command.toArray(String[]::new));
      return new GatewayProcess(child, folder, durable);
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  /** The process. */
  public Child child() {
    return child;
  }

  /** Returns the bytes of its data directory; 0 without one. */
  public long bytesOnDisk() {
    return durable ? folder.bytes() : 0;
  }

  @Override
  public void close() {
    child.close();
    folder.close();
  }
}
