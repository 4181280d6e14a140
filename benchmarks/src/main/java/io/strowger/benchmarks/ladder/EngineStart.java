package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import java.net.URI;

/** Starts the engine alone, without host, stores or adapters, and prints how long it took. */
final class EngineStart {
  private EngineStart() {}

  /**
   * Measures the time from the first statement of the program to a usable gateway.
   *
   * @param args none
   */
  public static void main(String[] args) {
    var ambient = new SystemAmbient();
    long before = ambient.nanoTime();
    try (Gateway gateway =
        Gateway.builder(Layers.config(URI.create("http://127.0.0.1:1/v1")))
            .allowMissingParts()
            .build()) {
      gateway.readiness();
      ChildProcess.announceAndWait("engine:" + (ambient.nanoTime() - before));
    }
  }
}
