package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.http.BlindRelay;
import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.Contender;
import io.strowger.benchmarks.http.GatewayProcess;
import io.strowger.benchmarks.http.HttpContender;
import io.strowger.benchmarks.http.JvmCounters;
import io.strowger.benchmarks.http.ProcessUsage;
import io.strowger.benchmarks.http.Samples;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Session;
import io.strowger.benchmarks.http.TemporaryFolder;
import io.strowger.benchmarks.http.Upstream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts an upstream, a relay and the rungs to be measured, each in a process of its own. */
final class Rungs implements AutoCloseable {
  /**
   * A running rung.
   *
   * @param rung the rung; null for the relay
   * @param durable whether it has a data directory
   * @param contender the server to call
   * @param pid the id of its process
   */
  record RunningRung(@Nullable Rung rung, boolean durable, Contender contender, long pid) {
    String name() {
      return contender.name();
    }
  }

  private final List<String> jvmOptions;
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<RunningRung> runningRungs = new ArrayList<>();

  private Rungs(List<String> jvmOptions) {
    this.jvmOptions = jvmOptions;
  }

  /**
   * Starts the selected rungs, from the lowest to the highest, with the relay before the host.
   *
   * @param jvmOptions options of every virtual machine but the upstream's
   */
  static Rungs start(LadderOptions options, List<String> jvmOptions) throws Exception {
    var rungs = new Rungs(jvmOptions);
    try {
      rungs.startAll(options);
    } catch (IOException | RuntimeException e) {
      rungs.close();
      throw e;
    }
    return rungs;
  }

  private void startAll(LadderOptions options) throws IOException {
    ChildProcess upstream = register(ChildProcess.start(Upstream.class.getName()));
    for (Rung rung : Rung.values()) {
      if (rung == Rung.HOST && options.rungs().contains(rung)) {
        startRelay(upstream);
      }
      if (options.runsInMemory(rung)) {
        start(rung, false, upstream);
      }
      if (options.runsOnDisk(rung)) {
        start(rung, true, upstream);
      }
    }
  }

  private void startRelay(ChildProcess upstream) throws IOException {
    ChildProcess child =
        register(
            ChildProcess.start(
                jvmOptions, BlindRelay.class.getName(), upstream.uri() + "/chat/completions"));
    JvmCounters counters = counters(child);
    add(null, false, HttpContender.relay(child.uri(), counters::usage), child);
  }

  private void start(Rung rung, boolean durable, ChildProcess upstream) throws IOException {
    String name = rung.id() + (durable ? ", durable" : "");
    if (rung == Rung.HOST) {
      GatewayProcess process =
          register(
              GatewayProcess.start(
                  upstream.uri(), durable, ChildProcess.ownClassPath(), jvmOptions));
      JvmCounters counters = counters(process.child());
      add(
          rung,
          durable,
          HttpContender.gateway(name, process.child().uri(), counters::usage, process::bytesOnDisk),
          process.child());
      return;
    }
    var command = new ArrayList<>(List.of(rung.id(), upstream.uri().toString()));
    if (durable) {
      command.add(register(TemporaryFolder.create("bench-rung")).path().toString());
    }
    ChildProcess child =
        register(
            ChildProcess.start(
                jvmOptions, RungProcess.class.getName(), command.toArray(String[]::new)));
    add(rung, durable, new RungContender(name, child, counters(child)), child);
  }

  private void add(@Nullable Rung rung, boolean durable, Contender contender, ChildProcess child) {
    runningRungs.add(new RunningRung(rung, durable, contender, child.pid()));
  }

  private JvmCounters counters(ChildProcess child) throws IOException {
    return register(JvmCounters.attach(child.pid()));
  }

  private <T extends AutoCloseable> T register(T resource) {
    resources.add(resource);
    return resource;
  }

  /** Returns the running rungs, the lowest first. */
  List<RunningRung> rungs() {
    return runningRungs;
  }

  List<Contender> contenders() {
    return runningRungs.stream().map(RunningRung::contender).toList();
  }

  /**
   * Returns the rung to compare a rung with: the nearest one below it with the same store or
   * without one; empty for the relay.
   */
  Optional<RunningRung> rungBelow(RunningRung rung) {
    RunningRung nearest = null;
    if (rung.rung() == null) {
      return Optional.empty();
    }
    for (RunningRung other : runningRungs) {
      Rung lower = other.rung();
      if (other == rung) {
        return Optional.ofNullable(nearest);
      }
      if (lower != null
          && lower != rung.rung()
          && (!lower.usesStore() || other.durable() == rung.durable())) {
        nearest = other;
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
  }

  /**
   * Controls a {@link RungProcess} from the parent process. For one thread.
   *
   * @param name the name in the table
   * @param child the process
   * @param counters the counters of the process
   */
  private record RungContender(String name, ChildProcess child, JvmCounters counters)
      implements Contender {
    @Override
    public ProcessUsage usage() {
      return counters.usage();
    }

    @Override
    public Session open(Scenario scenario) throws IOException {
      ask("open " + scenario.id());
      return new RemoteSession();
    }

    private String ask(String line) throws IOException {
      String answer = child.ask(line);
      if (answer.startsWith(RungProcess.FAILED)) {
        throw new IOException(name + " answered \"" + line + "\" with " + answer);
      }
      return answer;
    }

    private final class RemoteSession implements Session {
      @Override
      public Samples sendSequentially(int requests) throws IOException {
        return RungProcess.samples(ask("serial " + requests));
      }

      @Override
      public int load(int callers, Duration time) throws IOException {
        return Integer.parseInt(ask("load " + callers + " " + time.toMillis()));
      }

      @Override
      public void close() {
        // the process waits for the next scenario
      }
    }
  }
}
