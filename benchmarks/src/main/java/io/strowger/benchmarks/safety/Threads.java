package io.strowger.benchmarks.safety;

import io.strowger.core.ambient.SystemAmbient;
import java.time.Duration;

/**
 * Starts the threads of clients: platform threads, so that no client waits for a carrier thread.
 */
final class Threads {
  private final SystemAmbient ambient = new SystemAmbient();

  Thread start(String name, Runnable task) {
    return ambient.startService(name, task);
  }

  static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
