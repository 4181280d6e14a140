package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.Samples;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.core.ambient.SystemAmbient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A process that calls one layer of the gateway, so that processor time and memory can be
 * attributed to the layer. It reads commands as lines of its input and answers each with a line:
 *
 * <ul>
 *   <li>{@code open SCENARIO}: calls the layer once; answers {@code ok};
 *   <li>{@code serial N}: calls the layer N times, one by one; answers the nanoseconds of each
 *       call;
 *   <li>{@code load CALLERS MILLIS}: calls the layer from several threads at once; answers the
 *       number of calls.
 * </ul>
 *
 * <p>A failure is answered with {@code failed} and the reason. The process ends with its input.
 */
final class RungProcess {
  static final String OK = "ok";
  static final String FAILED = "failed ";

  private final SystemAmbient ambient = new SystemAmbient();
  private final Layers layers;
  private final Rung rung;
  private Layers.Layer layer =
      () -> {
        throw new IOException("no scenario is open");
      };

  RungProcess(Rung rung, Layers layers) {
    this.rung = rung;
    this.layers = layers;
  }

  /**
   * Serves until its input ends.
   *
   * @param args the rung, the upstream, and optionally a data directory
   */
  public static void main(String[] args) throws IOException {
    Path data = args.length > 2 ? Path.of(args[2]) : null;
    Rung rung = Rung.of(args[0]);
    try (var layers = new Layers(URI.create(args[1]), data)) {
      var process = new RungProcess(rung, layers);
      ChildProcess.announce("rung:" + rung.id());
      var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(process.answer(line));
        System.out.flush();
      }
    }
    System.exit(0);
  }

  /** Returns the answer to one line. */
  String answer(String line) {
    String[] words = line.split(" ");
    try {
      return switch (words[0]) {
        case "open" -> open(Scenario.of(words[1]));
        case "serial" -> serial(Integer.parseInt(words[1]));
        case "load" ->
            load(Integer.parseInt(words[1]), Duration.ofMillis(Long.parseLong(words[2])));
        default -> FAILED + "unknown command " + words[0];
      };
    } catch (IOException | RuntimeException e) {
      return FAILED + e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED + e;
    }
  }

  private String open(Scenario scenario) throws IOException {
    layer = layers.of(rung, scenario);
    layer.call();
    return OK;
  }

  /** Calls on a virtual thread, as a host would. */
  private String serial(int requests) throws IOException, InterruptedException {
    var nanos = new StringBuilder();
    run(1, failure -> runSequentially(requests, nanos, failure));
    return nanos.toString().strip();
  }

  private void runSequentially(
      int requests, StringBuilder nanos, AtomicReference<@Nullable Exception> failure) {
    try {
      for (int i = 0; i < requests; i++) {
        long before = ambient.nanoTime();
        layer.call();
        nanos.append(ambient.nanoTime() - before).append(' ');
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  private String load(int callers, Duration time) throws IOException, InterruptedException {
    long end = ambient.nanoTime() + time.toNanos();
    var answered = new AtomicInteger();
    run(callers, failure -> callUntil(end, answered, failure));
    return Integer.toString(answered.get());
  }

  private void callUntil(
      long end, AtomicInteger answered, AtomicReference<@Nullable Exception> failure) {
    try {
      while (ambient.nanoTime() < end) {
        layer.call();
        answered.incrementAndGet();
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  /** The work of a calling thread, which reports its failure. */
  private interface Workload {
    void run(AtomicReference<@Nullable Exception> failure);
  }

  private void run(int callers, Workload workload) throws IOException, InterruptedException {
    var failure = new AtomicReference<@Nullable Exception>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < callers; i++) {
      threads.add(ambient.start("caller", () -> workload.run(failure)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Exception error = failure.get();
    if (error != null) {
      throw new IOException(error);
    }
  }

  /** Parses the answer to {@code serial}. */
  static Samples samples(String answer) {
    var samples = new Samples();
    for (String nanos : answer.split(" ")) {
      samples.add(Long.parseLong(nanos));
    }
    return samples;
  }
}
