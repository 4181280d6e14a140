package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.http.BlindRelay;
import io.strowger.benchmarks.http.Child;
import io.strowger.benchmarks.http.GatewayProcess;
import io.strowger.benchmarks.http.HttpParty;
import io.strowger.benchmarks.http.JvmCounters;
import io.strowger.benchmarks.http.Party;
import io.strowger.benchmarks.http.TemporaryFolder;
import io.strowger.benchmarks.http.Upstream;
import java.io.IOException;
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
   * @param party the server to call
   * @param pid of its process
   */
  record Running(@Nullable Rung rung, boolean durable, Party party, long pid) {
    String name() {
      return party.name();
    }
  }

  private final List<String> jvm;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Running> running = new ArrayList<>();

  private Rungs(List<String> jvm) {
    this.jvm = jvm;
  }

  /**
   * Starts what the options select, from the lowest rung to the highest, the relay before the host.
   *
   * @param jvm options of every virtual machine but the upstream's
   */
  static Rungs start(LadderOptions options, List<String> jvm) throws Exception {
    var rungs = new Rungs(jvm);
    try {
      rungs.startAll(options);
    } catch (IOException | RuntimeException e) {
      rungs.close();
      throw e;
    }
    return rungs;
  }

  private void startAll(LadderOptions options) throws IOException {
    Child upstream = opened(Child.start(Upstream.class.getName()));
    for (Rung rung : Rung.values()) {
      if (rung == Rung.HOST && options.rungs().contains(rung)) {
        relay(upstream);
      }
      if (options.inMemory(rung)) {
        start(rung, false, upstream);
      }
      if (options.onDisk(rung)) {
        start(rung, true, upstream);
      }
    }
  }

  private void relay(Child upstream) throws IOException {
    Child child =
        opened(Child.start(jvm, BlindRelay.class.getName(), upstream.uri() + "/chat/completions"));
    JvmCounters counters = counters(child);
    add(null, false, HttpParty.relay(child.uri(), counters::usage), child);
  }

  private void start(Rung rung, boolean durable, Child upstream) throws IOException {
    String name = rung.id() + (durable ? ", durable" : "");
    if (rung == Rung.HOST) {
      GatewayProcess process =
          opened(GatewayProcess.start(upstream.uri(), durable, Child.ownClassPath(), jvm));
      JvmCounters counters = counters(process.child());
      add(
          rung,
          durable,
          HttpParty.gateway(name, process.child().uri(), counters::usage, process::bytesOnDisk),
          process.child());
      return;
    }
    var command = new ArrayList<>(List.of(rung.id(), upstream.uri().toString()));
    if (durable) {
      command.add(opened(TemporaryFolder.create("bench-rung")).path().toString());
    }
    Child child =
        opened(Child.start(jvm, RungProcess.class.getName(), command.toArray(String[]::new)));
    add(rung, durable, new RungParty(name, child, counters(child)), child);
  }

  private void add(@Nullable Rung rung, boolean durable, Party party, Child child) {
    running.add(new Running(rung, durable, party, child.pid()));
  }

  private JvmCounters counters(Child child) throws IOException {
    return opened(JvmCounters.attach(child.pid()));
  }

  private <T extends AutoCloseable> T opened(T one) {
    open.add(one);
    return one;
  }

  /** Returns the running rungs, the lowest first. */
  List<Running> all() {
    return running;
  }

  List<Party> parties() {
    return running.stream().map(Running::party).toList();
  }

  /**
   * Returns the rung to compare a rung with: the nearest one below it with the same store or
   * without one; empty for the relay.
   */
  Optional<Running> below(Running rung) {
    Running below = null;
    if (rung.rung() == null) {
      return Optional.empty();
    }
    for (Running other : running) {
      Rung lower = other.rung();
      if (other == rung) {
        return Optional.ofNullable(below);
      }
      if (lower != null
          && lower != rung.rung()
          && (!lower.isStoring() || other.durable() == rung.durable())) {
        below = other;
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }
}
