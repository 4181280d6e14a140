package io.strowger.benchmarks.http;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What does the whole HTTP gateway add to a call, and how much processor time does it take?
 * Answered beside a relay of the same libraries without logic, and direct calls, all in turn on one
 * connection each; then with several connections at once.
 *
 * <p>Target H1, 1 KB: at most 1.3 times what the relay adds, better 15 us more than it, and at most
 * 60 us of processor time per request. Every server is a process of its own; direct calls show what
 * the upstream itself takes.
 */
public final class HttpComparison {
  private static final int CONNECTIONS = 8;

  /** How long each part of one scenario lasts. */
  private record Plan(Duration warmUp, Duration turns, Duration load) {
    static final Plan FULL =
        new Plan(Duration.ofSeconds(12), Duration.ofSeconds(18), Duration.ofSeconds(4));
    static final Plan QUICK =
        new Plan(Duration.ofSeconds(3), Duration.ofSeconds(4), Duration.ofSeconds(1));
  }

  private final PrintStream out;
  private final Plan plan;
  private final List<String> table = new ArrayList<>();

  private HttpComparison(PrintStream out, Plan plan) {
    this.out = out;
    this.plan = plan;
  }

  /**
   * @param args {@code --quick} or nothing
   * @return the exit code
   */
  public static int run(String[] args, PrintStream out) throws IOException, InterruptedException {
    boolean quick = args.length == 1 && args[0].equals("--quick");
    if (args.length > 0 && !quick) {
      out.println("http takes --quick or nothing");
      return 2;
    }
    new HttpComparison(out, quick ? Plan.QUICK : Plan.FULL).compare();
    return 0;
  }

  private void compare() throws IOException, InterruptedException {
    out.println("starting an upstream, a relay and a gateway, each in a process of its own ...");
    try (Child upstream = Child.start(Upstream.class.getName());
        Child relay =
            Child.start(BlindRelay.class.getName(), upstream.uri() + "/chat/completions");
        Child gateway = GatewayProcess.start(upstream.uri())) {
      var parties =
          List.of(
              Party.direct(upstream.uri(), upstream::cpu),
              Party.relay(relay.uri(), relay::cpu),
              Party.gateway(gateway.uri(), gateway::cpu));
      for (Scenario scenario : Scenario.ALL) {
        compare(scenario, parties);
      }
    }
    out.println();
    out.printf(
        "%-18s %-8s %9s %9s %10s %10s %9s %12s %9s%n",
        "scenario",
        "party",
        "p50 us",
        "p99 us",
        "added p50",
        "added p99",
        "CPU us",
        "8 conn. /s",
        "CPU us");
    table.forEach(out::println);
    out.println(
        "\nadded: to direct calls, p50 paired turn by turn. CPU: of the party's process per");
    out.println("request, one at a time and with 8 connections at once; of direct: the upstream's");
  }

  private void compare(Scenario scenario, List<Party> parties)
      throws IOException, InterruptedException {
    try (var duel = new Duel(scenario, parties)) {
      out.printf("%s: warming up for %d s%n", scenario.name(), plan.warmUp.toSeconds());
      for (Party party : parties) {
        // busy code is compiled sooner than code that is called in turns
        duel.saturate(party, CONNECTIONS, plan.warmUp.dividedBy(parties.size()));
      }
      out.printf("%s: taking turns for %d s%n", scenario.name(), plan.turns.toSeconds());
      List<Duel.Score> scores = duel.run(plan.turns);
      for (Duel.Score score : scores) {
        out.printf(
            "%s: %s under load for %d s%n",
            scenario.name(), score.party().name(), plan.load.toSeconds());
        Duel.Load load = duel.saturate(score.party(), CONNECTIONS, plan.load);
        table.add(line(scenario, score, scores.getFirst(), load));
      }
      table.add(verdict(scores));
    }
  }

  private static String line(
      Scenario scenario, Duel.Score score, Duel.Score direct, Duel.Load load) {
    Samples all = score.all();
    Samples floor = direct.all();
    return String.format(
        Locale.ROOT,
        "%-18s %-8s %9.1f %9.1f %10.1f %10.1f %9.1f %12.0f %9.1f",
        scenario.name(),
        score.party().name(),
        micros(all.quantile(0.5)),
        micros(all.quantile(0.99)),
        micros(score.addedTo(direct)),
        micros(all.quantile(0.99) - floor.quantile(0.99)),
        score.cpuMicrosPerRequest(),
        load.perSecond(),
        load.cpuMicros());
  }

  private static String verdict(List<Duel.Score> scores) {
    double relay = micros(scores.get(1).addedTo(scores.get(0)));
    double gateway = micros(scores.get(2).addedTo(scores.get(0)));
    return String.format(
        Locale.ROOT,
        "%-18s the gateway adds %.2f times what the relay adds, %.1f us more%n",
        "",
        gateway / relay,
        gateway - relay);
  }

  private static double micros(long nanos) {
    return nanos / 1e3;
  }
}
