package io.strowger.benchmarks.safety;

import io.strowger.benchmarks.GatewayConfigs;
import io.strowger.benchmarks.http.RawConnection;
import io.strowger.benchmarks.http.Samples;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The figures of honest clients over a period: two send short requests one after the other, each on
 * a persistent connection, and a probe opens a connection for every health check.
 *
 * @param times the times of the answers, in nanoseconds
 * @param failures the number of requests without an answer of status 200
 * @param slowestProbe the longest time of a probe, in nanoseconds; a failed probe counts as {@link
 *     #TIMEOUT}
 */
record HonestTraffic(Samples times, long failures, long slowestProbe) {
  private static final int CLIENTS = 2;
  private static final Duration BETWEEN_PROBES = Duration.ofMillis(50);

  /** How long a client waits for an answer. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The body of a request that the upstream answers after 10 ms. */
  static final byte[] QUESTION =
      """
      {"model":"bench/honest","max_tokens":20,"messages":[{"role":"user","content":"How do you do?"}]}\
      """
          .getBytes(StandardCharsets.UTF_8);

  /**
   * Runs honest clients for a time.
   *
   * @param api the base address of the API
   */
  static HonestTraffic ask(URI api, Duration time, Threads threads)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    var failures = new LongAdder();
    var slowest = new AtomicLong();
    var clients = new ArrayList<Thread>();
    List<Samples> samples = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      var clientSamples = new Samples();
      samples.add(clientSamples);
      clients.add(threads.start("honest", () -> askQuestions(api, end, clientSamples, failures)));
    }
    clients.add(threads.start("probe", () -> probeHealth(api, end, slowest)));
    for (Thread thread : clients) {
      thread.join();
    }
    var allSamples = new Samples();
    samples.forEach(allSamples::addAll);
    if (allSamples.size() == 0) {
      throw new IOException("no honest request was answered in " + time.toSeconds() + " s");
    }
    return new HonestTraffic(allSamples, failures.sum(), slowest.get());
  }

  private static void askQuestions(URI api, long end, Samples times, LongAdder failures) {
    URI chat = URI.create(api + "/chat/completions");
    byte[] request = RawConnection.post(chat, GatewayConfigs.KEY, QUESTION);
    while (System.nanoTime() < end) {
      try (var connection = new RawConnection(chat)) {
        while (System.nanoTime() < end) {
          long before = System.nanoTime();
          int status = connection.exchange(request);
          times.add(System.nanoTime() - before);
          if (status != 200) {
            failures.increment();
          }
        }
      } catch (IOException broken) {
        times.add(TIMEOUT.toNanos());
        failures.increment();
      }
    }
  }

  private static void probeHealth(URI api, long end, AtomicLong slowest) {
    byte[] request =
        "GET %s/health HTTP/1.1\r\nHost: %s\r\n\r\n"
            .formatted(api.getPath(), api.getAuthority())
            .getBytes(StandardCharsets.US_ASCII);
    while (System.nanoTime() < end) {
      long before = System.nanoTime();
      long nanos;
      try (var connection = new RawConnection(api)) {
        int status = connection.exchange(request);
        nanos = status == 200 ? System.nanoTime() - before : TIMEOUT.toNanos();
      } catch (IOException broken) {
        nanos = TIMEOUT.toNanos();
      }
      slowest.accumulateAndGet(nanos, Math::max);
      Threads.pause(BETWEEN_PROBES);
    }
  }

  Json.Obj toJson() {
    return Json.object()
        .put("requests", times.size())
        .put("failures", failures)
        .put("p50_us", times.quantile(0.5) / 1000)
        .put("p99_us", times.quantile(0.99) / 1000)
        .put("slowest_probe_us", slowestProbe / 1000)
        .build();
  }
}
