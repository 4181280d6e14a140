package io.strowger.benchmarks.http;

import io.strowger.core.ambient.SystemAmbient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Calls one party after the other with the same requests, in short turns, so that whatever happens
 * on the machine happens to all of them. For one thread.
 */
final class Duel implements AutoCloseable {
  private static final int MOST_ROUNDS = 20_000;

  private final Scenario scenario;
  private final List<Party> parties;
  private final List<RawConnection> connections = new ArrayList<>();
  private final List<byte[]> requests = new ArrayList<>();

  /**
   * What one party did.
   *
   * @param rounds its samples, turn by turn
   * @param used by its process for them
   */
  record Score(Party party, List<Samples> rounds, Usage used) {
    Samples all() {
      var all = new Samples();
      rounds.forEach(all::addAll);
      return all;
    }

    /** The median over the rounds of how much longer this party's median was, in nanoseconds. */
    long addedTo(Score floor) {
      var added = new Samples();
      for (int i = 0; i < rounds.size(); i++) {
        added.add(rounds.get(i).quantile(0.5) - floor.rounds.get(i).quantile(0.5));
      }
      return added.quantile(0.5);
    }

    double cpuMicrosPerRequest() {
      return used.cpu().toNanos() / 1e3 / all().size();
    }
  }

  /**
   * How much a party bears.
   *
   * @param requests answered
   * @param perSecond requests answered
   * @param cpuMicros processor time of its process per request
   * @param bytes allocated by its process per request
   */
  record Load(int requests, double perSecond, double cpuMicros, double bytes) {}

  Duel(Scenario scenario, List<Party> parties) throws IOException {
    this.scenario = scenario;
    this.parties = parties;
    for (Party party : parties) {
      RawConnection connection = party.connect();
      connections.add(connection);
      byte[] request = party.request(scenario);
      requests.add(request);
      int status = connection.exchange(request);
      scenario.check(party.name(), status, connection.text());
    }
  }

  /** Takes turns for so long. */
  List<Score> run(Duration time) throws IOException {
    var rounds = new ArrayList<List<Samples>>();
    var used = new ArrayList<Usage>();
    for (Party party : parties) {
      rounds.add(new ArrayList<>());
      used.add(party.usage().get());
    }
    long end = System.nanoTime() + time.toNanos();
    for (int round = 0; round < MOST_ROUNDS && System.nanoTime() < end; round++) {
      for (int turn = 0; turn < parties.size(); turn++) {
        int who = (round + turn) % parties.size();
        rounds.get(who).add(turn(who));
      }
    }
    var scores = new ArrayList<Score>();
    for (int i = 0; i < parties.size(); i++) {
      scores.add(
          new Score(
              parties.get(i), rounds.get(i), parties.get(i).usage().get().minus(used.get(i))));
    }
    return scores;
  }

  private Samples turn(int who) throws IOException {
    var samples = new Samples();
    RawConnection connection = connections.get(who);
    byte[] request = requests.get(who);
    for (int i = 0; i < scenario.perRound(); i++) {
      long before = System.nanoTime();
      int status = connection.exchange(request);
      samples.add(System.nanoTime() - before);
      if (status != 200) {
        scenario.check(parties.get(who).name(), status, connection.text());
      }
    }
    return samples;
  }

  /** Keeps a party as busy as a few connections can. */
  Load saturate(Party party, int connectionCount, Duration time)
      throws IOException, InterruptedException {
    var ambient = new SystemAmbient();
    var answered = new AtomicInteger();
    var failure = new AtomicReference<IOException>();
    byte[] request = party.request(scenario);
    Usage before = party.usage().get();
    long start = System.nanoTime();
    long end = start + time.toNanos();
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < connectionCount; i++) {
      callers.add(ambient.start("load", () -> callUntil(end, party, request, answered, failure)));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    IOException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Usage used = party.usage().get().minus(before);
    double requests = answered.get();
    return new Load(
        answered.get(),
        requests / seconds,
        used.cpu().toNanos() / 1e3 / requests,
        used.allocated() / requests);
  }

  private void callUntil(
      long end,
      Party party,
      byte[] request,
      AtomicInteger answered,
      AtomicReference<IOException> failure) {
    try (RawConnection connection = party.connect()) {
      while (System.nanoTime() < end) {
        int status = connection.exchange(request);
        if (status != 200) {
          scenario.check(party.name(), status, connection.text());
        }
        answered.incrementAndGet();
      }
    } catch (IOException told) {
      failure.set(told);
    }
  }

  @Override
  public void close() throws IOException {
    for (RawConnection connection : connections) {
      connection.close();
    }
  }
}
