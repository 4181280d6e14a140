package io.strowger.benchmarks.http;

import io.strowger.core.ambient.SystemAmbient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls several contenders in short turns with the same requests, so that disturbances of the
 * machine affect all of them alike. For one thread.
 */
public final class Duel implements AutoCloseable {
  private static final int MAX_ROUNDS = 20_000;

  /**
   * How long after the last answer a contender's background work, such as writing files, is
   * counted.
   */
  private static final Duration TRAILING = Duration.ofMillis(200);

  private final Scenario scenario;
  private final List<? extends Party> parties;
  private final List<Session> sessions = new ArrayList<>();

  /**
   * The figures of one contender.
   *
   * @param rounds its samples, turn by turn
   * @param used what its process used for them
   */
  public record Score(Party party, List<Samples> rounds, ProcessUsage used) {
    Samples all() {
      var all = new Samples();
      rounds.forEach(all::addAll);
      return all;
    }

    /** Returns the median over all rounds of the difference of the medians, in nanoseconds. */
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
   * The figures of one contender under load.
   *
   * @param requests the number of answered requests
   * @param perSecond answered requests per second
   * @param cpuMicros processor time of its process per request
   * @param bytes allocated by its process per request
   */
  public record Load(int requests, double perSecond, double cpuMicros, double bytes) {}

  public Duel(Scenario scenario, List<? extends Party> parties) throws IOException {
    this.scenario = scenario;
    this.parties = parties;
    try {
      for (Party party : parties) {
        sessions.add(party.open(scenario));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Calls all contenders in turns for a time. */
  public List<Score> run(Duration time) throws IOException {
    var rounds = new ArrayList<List<Samples>>();
    var used = new ArrayList<ProcessUsage>();
    for (Party party : parties) {
      rounds.add(new ArrayList<>());
      used.add(party.usage());
    }
    long end = System.nanoTime() + time.toNanos();
    for (int round = 0; round < MAX_ROUNDS && System.nanoTime() < end; round++) {
      for (int turn = 0; turn < parties.size(); turn++) {
        int who = (round + turn) % parties.size();
        rounds.get(who).add(sessions.get(who).turn(scenario.perRound()));
      }
    }
    var scores = new ArrayList<Score>();
    for (int i = 0; i < parties.size(); i++) {
      ProcessUsage since = parties.get(i).usage().minus(used.get(i));
      scores.add(new Score(parties.get(i), rounds.get(i), since));
    }
    return scores;
  }

  /**
   * Puts a contender under load.
   *
   * @param party its index among the contenders
   */
  public Load saturate(int party, int callers, Duration time)
      throws IOException, InterruptedException {
    ProcessUsage before = parties.get(party).usage();
    long start = System.nanoTime();
    int answered = sessions.get(party).load(callers, time);
    double seconds = (System.nanoTime() - start) / 1e9;
    new SystemAmbient().sleep(TRAILING);
    ProcessUsage used = parties.get(party).usage().minus(before);
    return new Load(
        answered,
        answered / seconds,
        used.cpu().toNanos() / 1e3 / answered,
        (double) used.allocated() / answered);
  }

  /**
   * Puts all contenders under load in turns, several times; returns the loads of each contender,
   * lap by lap.
   */
  public List<List<Load>> laps(int laps, int callers, Duration timeOfEach)
      throws IOException, InterruptedException {
    var loads = new ArrayList<List<Load>>();
    parties.forEach(party -> loads.add(new ArrayList<>()));
    for (int lap = 0; lap < laps; lap++) {
      for (int party = 0; party < parties.size(); party++) {
        loads.get(party).add(saturate(party, callers, timeOfEach.dividedBy(laps)));
      }
    }
    return loads;
  }

  @Override
  public void close() throws IOException {
    for (Session session : sessions) {
      session.close();
    }
  }
}
