package io.strowger.benchmarks.http;

import io.strowger.core.ambient.SystemAmbient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Requests over HTTP, each caller on a connection of its own. */
final class HttpSession implements Session {
  private final HttpParty party;
  private final Scenario scenario;
  private final byte[] request;
  private final RawConnection connection;

  HttpSession(HttpParty party, Scenario scenario) throws IOException {
    this.party = party;
    this.scenario = scenario;
    this.request = party.request(scenario);
    this.connection = new RawConnection(party.uri());
    try {
      scenario.check(party.name(), connection.exchange(request), connection.text());
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** Returns the last answer to {@link #turn}. */
  String text() {
    return connection.text();
  }

  @Override
  public Samples turn(int requests) throws IOException {
    var samples = new Samples();
    for (int i = 0; i < requests; i++) {
      long before = System.nanoTime();
      int status = connection.exchange(request);
      samples.add(System.nanoTime() - before);
      check(status, connection);
    }
    return samples;
  }

  private void check(int status, RawConnection from) throws IOException {
    if (status != 200) {
      scenario.check(party.name(), status, from.text());
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
    IOException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return answered.get();
  }

  private void callUntil(long end, AtomicInteger answered, AtomicReference<IOException> failure) {
    try (RawConnection own = new RawConnection(party.uri())) {
      while (System.nanoTime() < end) {
        check(own.exchange(request), own);
        answered.incrementAndGet();
      }
    } catch (IOException told) {
      failure.set(told);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
