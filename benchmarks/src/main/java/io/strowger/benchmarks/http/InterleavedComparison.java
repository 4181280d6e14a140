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
public final class InterleavedComparison implements AutoCloseable {
  private static final int MAX_ROUNDS = 20_000;

  /**
   * How long after the last answer a contender's background work, such as writing files, is
   * counted.
   */
  private static final Duration TRAILING_WORK = Duration.ofMillis(200);

  private final Scenario scenario;
  private final List<? extends Contender> contenders;
  private final List<Session> sessions = new ArrayList<>();

  /**
   * The figures of one contender.
   *
   * @param rounds its samples, one element for each round
   * @param usage the resources that its process used for the samples
   */
  public record SerialResult(Contender contender, List<Samples> rounds, ProcessUsage usage) {
    /** Returns the samples of all rounds. */
    public Samples allSamples() {
      var samples = new Samples();
      rounds.forEach(samples::addAll);
      return samples;
    }

    /** Returns the median over all rounds of the difference of the medians, in nanoseconds. */
    public long addedMedian(SerialResult floor) {
      var added = new Samples();
      for (int i = 0; i < rounds.size(); i++) {
        added.add(rounds.get(i).quantile(0.5) - floor.rounds.get(i).quantile(0.5));
      }
      return added.quantile(0.5);
    }

    double cpuMicrosPerRequest() {
      return usage.cpu().toNanos() / 1e3 / allSamples().size();
    }
  }

  /**
   * The figures of one contender under load.
   *
   * @param requests the number of answered requests
   * @param perSecond the answered requests per second
   * @param cpuMicros the processor time of its process per request
   * @param bytes the bytes that its process allocated per request
   */
  public record Load(int requests, double perSecond, double cpuMicros, double bytes) {}

  public InterleavedComparison(Scenario scenario, List<? extends Contender> contenders)
      throws IOException {
    this.scenario = scenario;
    this.contenders = contenders;
    try {
      for (Contender contender : contenders) {
        sessions.add(contender.open(scenario));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Calls all contenders in turns for a time. */
  public List<SerialResult> run(Duration time) throws IOException {
    var rounds = new ArrayList<List<Samples>>();
    var usageAtStart = new ArrayList<ProcessUsage>();
    for (Contender contender : contenders) {
      rounds.add(new ArrayList<>());
      usageAtStart.add(contender.usage());
    }
    long end = System.nanoTime() + time.toNanos();
    for (int round = 0; round < MAX_ROUNDS && System.nanoTime() < end; round++) {
      for (int turn = 0; turn < contenders.size(); turn++) {
        int index = (round + turn) % contenders.size();
        rounds.get(index).add(sessions.get(index).sendSequentially(scenario.perRound()));
      }
    }
    var serialResults = new ArrayList<SerialResult>();
    for (int i = 0; i < contenders.size(); i++) {
      ProcessUsage usage = contenders.get(i).usage().minus(usageAtStart.get(i));
      serialResults.add(new SerialResult(contenders.get(i), rounds.get(i), usage));
    }
    return serialResults;
  }

  /**
   * Warms all contenders up by load.
   *
   * @return a sentence about it
   */
  public String warmUp(LoadPlan plan) throws IOException, InterruptedException {
    return new WarmUp(contenders.size(), plan.warmUp())
        .run((index, time) -> saturate(index, plan.connections(), time).cpuMicros());
  }

  /**
   * Puts a contender under load.
   *
   * @param index its index among the contenders
   */
  public Load saturate(int index, int callers, Duration time)
      throws IOException, InterruptedException {
    ProcessUsage before = contenders.get(index).usage();
    long start = System.nanoTime();
    int answered = sessions.get(index).load(callers, time);
    double seconds = (System.nanoTime() - start) / 1e9;
    new SystemAmbient().sleep(TRAILING_WORK);
    ProcessUsage usage = contenders.get(index).usage().minus(before);
    return new Load(
        answered,
        answered / seconds,
        usage.cpu().toNanos() / 1e3 / answered,
        (double) usage.allocated() / answered);
  }

  /**
   * Puts all contenders under load in turns, several times; returns the loads of each contender,
   * lap by lap.
   */
  public List<List<Load>> runLaps(int laps, int callers, Duration timeOfEach)
      throws IOException, InterruptedException {
    var loads = new ArrayList<List<Load>>();
    contenders.forEach(contender -> loads.add(new ArrayList<>()));
    for (int lap = 0; lap < laps; lap++) {
      for (int index = 0; index < contenders.size(); index++) {
        loads.get(index).add(saturate(index, callers, timeOfEach.dividedBy(laps)));
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
