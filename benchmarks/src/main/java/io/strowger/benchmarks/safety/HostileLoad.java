package io.strowger.benchmarks.safety;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures honest clients alone, and then during an attack by hostile ones of one kind. */
final class HostileLoad implements Trial {
  /**
   * The maximum ratio of the honest clients' 99th percentile during the attack to the one before
   * the attack.
   */
  static final double MAX_RATIO = 5;

  /** How much later than its deadline an answer may end, as the client sees it. */
  static final Duration MAX_LATE = Duration.ofMillis(500);

  /** How long a probe on a new connection may take. */
  static final Duration MAX_PROBE = Duration.ofMillis(500);

  /** How long the gateway is warmed up, because a new process is slow for all clients. */
  private static final Duration WARM_UP = Duration.ofSeconds(2);

  private final AttackScenario scenario;

  HostileLoad(AttackScenario scenario) {
    this.scenario = scenario;
  }

  @Override
  public String name() {
    return scenario.name();
  }

  @Override
  public Outcome run(Plan plan) throws IOException, InterruptedException {
    var threads = new Threads();
    Duration phase = Duration.ofSeconds(plan.seconds());
    try (ServedGatewayProcess process = ServedGatewayProcess.start(scenario.members())) {
      HonestTraffic.ask(process.api(), WARM_UP, threads);
      HonestTraffic baseline = HonestTraffic.ask(process.api(), phase, threads);
      HonestTraffic underAttack;
      var gateway = new AttackedGateway(process.api());
      List<Thread> attackers = attackers(gateway, threads);
      try {
        underAttack = HonestTraffic.ask(process.api(), phase, threads);
      } finally {
        gateway.close();
      }
      for (Thread attacker : attackers) {
        attacker.join();
      }
      return judge(baseline, underAttack, gateway.longestNanos(), gateway.outcomes());
    }
  }

  private List<Thread> attackers(AttackedGateway gateway, Threads threads) {
    var attackers = new ArrayList<Thread>();
    for (int i = 0; i < scenario.clients(); i++) {
      attackers.add(threads.start("hostile", () -> attack(gateway)));
    }
    return attackers;
  }

  private void attack(AttackedGateway gateway) {
    while (!gateway.isClosed()) {
      try {
        scenario.attack().run(gateway);
      } catch (IOException refused) {
        Threads.pause(Duration.ofMillis(1));
      }
    }
  }

  /**
   * @param longest the time of the longest hostile request, in nanoseconds
   * @param outcomes the outcomes of the hostile requests, such as {@code 200=3 503=1}
   */
  Outcome judge(HonestTraffic baseline, HonestTraffic underAttack, long longest, String outcomes) {
    var faults = new ArrayList<String>();
    double lateMillis = (longest - ServedGatewayProcess.TOTAL_TIMEOUT.toNanos()) / 1e6;
    var outcome = new Outcome(name(), baseline, underAttack, remarks(lateMillis, outcomes), "");
    if (outcome.ratio() > MAX_RATIO) {
      faults.add(String.format(Locale.ROOT, "more than %.0f times as long", MAX_RATIO));
    }
    if (underAttack.failures() > 0) {
      faults.add(underAttack.failures() + " honest requests failed");
    }
    if (underAttack.slowestProbe() > MAX_PROBE.toNanos()) {
      faults.add("a probe took more than " + MAX_PROBE.toMillis() + " ms");
    }
    if (lateMillis > MAX_LATE.toMillis()) {
      faults.add("deadline missed");
    }
    return new Outcome(name(), baseline, underAttack, outcome.remarks(), String.join(", ", faults));
  }

  private static String remarks(double lateMillis, String outcomes) {
    String deadline =
        lateMillis <= 0 ? "" : String.format(Locale.ROOT, "deadline %+.0f ms", lateMillis);
    return deadline + (deadline.isEmpty() || outcomes.isEmpty() ? "" : ", ") + outcomes;
  }
}
