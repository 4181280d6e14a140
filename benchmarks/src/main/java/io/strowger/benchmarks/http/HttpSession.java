package io.strowger.benchmarks.http;

import io.strowger.core.ambient.SystemAmbient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Requests over HTTP, each caller on a connection of its own. */
final class HttpSession implements Session {
  private final HttpContender contender;
  private final Scenario scenario;
  private final byte[] request;
  private final RawConnection connection;

  HttpSession(HttpContender contender, Scenario scenario) throws IOException {
    this.contender = contender;
    this.scenario = scenario;
    this.request = contender.request(scenario);
    this.connection = new RawConnection(contender.uri());
    try {
      scenario.check(contender.name(), connection.exchange(request), connection.text());
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** Returns the last answer to {@link #sendSequentially}. */
  String text() {
    return connection.text();
  }

  @Override
  public Samples sendSequentially(int requests) throws IOException {
    var samples = new Samples();
    for (int i = 0; i < requests; i++) {
      long before = System.nanoTime();
      int status = connection.exchange(request);
      samples.add(System.nanoTime() - before);
      check(status, connection);
    }
    return samples;
  }

  private void check(int status, RawConnection source) throws IOException {
    if (status != 200) {
      scenario.check(contender.name(), status, source.text());
    }
  }

  @Override
  public int load(int callers, Duration time) throws IOException, InterruptedException {
    var ambient = new SystemAmbient();
    var answered = new AtomicInteger();
    var failure = new AtomicReference<IOException>();
    long end = System.nanoTime() + time.toNanos();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < callers; i++) {
      threads.add(ambient.start("load", () -> callUntil(end, answered, failure)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    IOException error = failure.get();
    if (error != null) {
      throw error;
    }
    return answered.get();
  }

  private void callUntil(long end, AtomicInteger answered, AtomicReference<IOException> failure) {
    try (RawConnection callerConnection = new RawConnection(contender.uri())) {
      while (System.nanoTime() < end) {
        check(callerConnection.exchange(request), callerConnection);
        answered.incrementAndGet();
      }
    } catch (IOException e) {
      failure.set(e);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
