package io.strowger.benchmarks.safety;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures honest clients alone, and then during an attack by hostile ones of one kind. */
final class HostileLoad implements Trial {
  /**
   * The maximum ratio of the honest clients' 99th percentile during the attack to that before it.
   */
  static final double MAX_RATIO = 5;

  /** How much later than its deadline an answer may end, as the client sees it. */
  static final Duration MAX_LATE = Duration.ofMillis(500);

  /** How long a probe on a new connection may take. */
  static final Duration MAX_PROBE = Duration.ofMillis(500);

  /** How long the gateway is warmed up, because a new process is slow for all clients. */
  private static final Duration WARM_UP = Duration.ofSeconds(2);

  private final Hostility hostility;

  HostileLoad(Hostility hostility) {
    this.hostility = hostility;
  }

  @Override
  public String name() {
    return hostility.name();
  }

  @Override
  public Outcome run(Plan plan) throws IOException, InterruptedException {
    var threads = new Threads();
    Duration phase = Duration.ofSeconds(plan.seconds());
    try (ServedGatewayProcess served = ServedGatewayProcess.start(hostility.members())) {
      HonestTraffic.ask(served.api(), WARM_UP, threads);
      HonestTraffic alone = HonestTraffic.ask(served.api(), phase, threads);
      HonestTraffic beside;
      var gateway = new AttackedGateway(served.api());
      List<Thread> attackers = attackers(gateway, threads);
      try {
        beside = HonestTraffic.ask(served.api(), phase, threads);
      } finally {
        gateway.close();
      }
      for (Thread attacker : attackers) {
        attacker.join();
      }
      return judged(alone, beside, gateway.longest(), gateway.outcomes());
    }
  }

  private List<Thread> attackers(AttackedGateway gateway, Threads threads) {
    var attackers = new ArrayList<Thread>();
    for (int i = 0; i < hostility.clients(); i++) {
      attackers.add(threads.start("hostile", () -> attack(gateway)));
    }
    return attackers;
  }

  private void attack(AttackedGateway gateway) {
    while (!gateway.isOver()) {
      try {
        hostility.attack().on(gateway);
      } catch (IOException refused) {
        Threads.pause(Duration.ofMillis(1));
      }
    }
  }

  /**
   * @param longest the time of the longest hostile request, in nanoseconds
   * @param outcomes of the hostile requests, in words
   */
  Outcome judged(HonestTraffic alone, HonestTraffic beside, long longest, String outcomes) {
    var faults = new ArrayList<String>();
    double late = (longest - ServedGatewayProcess.TOTAL.toNanos()) / 1e6;
    var outcome = new Outcome(name(), alone, beside, remarks(late, outcomes), "");
    if (outcome.ratio() > MAX_RATIO) {
      faults.add(String.format(Locale.ROOT, "more than %.0f times as long", MAX_RATIO));
    }
    if (beside.failures() > 0) {
      faults.add(beside.failures() + " honest requests failed");
    }
    if (beside.slowestProbe() > MAX_PROBE.toNanos()) {
      faults.add("a probe took more than " + MAX_PROBE.toMillis() + " ms");
    }
    if (late > MAX_LATE.toMillis()) {
      faults.add("deadline missed");
    }
    return new Outcome(name(), alone, beside, outcome.remarks(), String.join(", ", faults));
  }

  private static String remarks(double late, String outcomes) {
    String deadline = late <= 0 ? "" : String.format(Locale.ROOT, "deadline %+.0f ms", late);
    return deadline + (deadline.isEmpty() || outcomes.isEmpty() ? "" : ", ") + outcomes;
  }
}
