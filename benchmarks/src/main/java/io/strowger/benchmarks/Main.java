package io.strowger.benchmarks;

import io.strowger.benchmarks.http.HttpComparison;
import io.strowger.benchmarks.ladder.Ladder;
import io.strowger.benchmarks.ladder.Profile;
import io.strowger.benchmarks.ladder.Starts;
import io.strowger.benchmarks.quality.QualityBench;
import io.strowger.benchmarks.report.ReportBench;
import io.strowger.benchmarks.safety.SafetyBench;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * {@code ./gateway bench}: lists what can be measured, or measures it.
 *
 * <p>Exit codes: 0 done, 1 something failed, 2 the command line was not understood. A missed target
 * of JMH is reported but is no failure, because on a shared machine only a person can judge it.
 * {@code safety} compares with its own baseline, so a miss there is a failure.
 */
public final class Main {
  private static final String USAGE =
      """
      usage: ./gateway bench                            this list
             ./gateway bench jmh PATTERN [JMH options]  the benchmarks whose name matches the pattern, and
                                                        whether they meet their targets; short runs and
                                                        bytes per operation unless the options say otherwise
             ./gateway bench decide --config FILE --request R.json [--dialect chat|messages] [--seed N]
                                                        what one decision about this request costs over
                                                        this configuration, compared with a floor; half a
                                                        minute
             ./gateway bench quality FILE.jsonl [OPTIONS]
                                                        the quality per dollar of the routers' choices, by
                                                        real outcomes of models on questions, compared with
                                                        fixed choices; up to a minute; quality --help lists
                                                        the options
             ./gateway bench destinations [--seconds N] the latency of calls of a gateway whose destinations
                                                        hang or fail, in turns with calls of a gateway
                                                        without; a minute and a half
             ./gateway bench http [OPTIONS]             the whole HTTP gateway, in memory and durable,
                                                        compared with a blind relay and direct calls, and
                                                        whether it meets its bounds; about 7 minutes, or 2
                                                        with --quick; http --help lists the options
             ./gateway bench ladder [OPTIONS]           what each layer costs over the one below it, in one
                                                        run with the relay, and how soon a gateway starts;
                                                        up to 20 minutes, or 5 with --quick
             ./gateway bench start                      how soon a gateway serves, with the classes that an
                                                        earlier start kept and without, and its idle
                                                        heap; about a minute
             ./gateway bench restart [REQUESTS]         how soon a durable store opens after 300,000 requests,
                                                        once closed and once killed, and the disk space
                                                        that the requests take
             ./gateway bench profile [OPTIONS]          flame graphs of every layer, of processor time and
                                                        of allocation, in benchmarks/target/profile
             ./gateway bench report [OPTIONS]           measures decisions, validation, streaming, the
                                                        ledger, whole calls, starts and memory, each beside
                                                        a floor or a peer, and writes one page with tables
                                                        and pictures; about 15 minutes, or 6 with --quick;
                                                        report --help lists the options
             ./gateway bench safety [--seconds N]       honest clients during each kind of attack,
                                                        overload and a cold start; under 3 minutes; exit
                                                        code 1 when one of them misses its target
             ./gateway bench ledger-stress              64 threads, 10 million holds on limits too small for
                                                        all of them: prints drift and overshoot; exit code 1
                                                        unless both are 0
      """;

  /** The commands that have their own help. */
  private static final Set<String> COMMANDS_WITH_HELP =
      Set.of("http", "ladder", "profile", "quality", "report");

  private Main() {}

  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out));
  }

  static int run(String[] args, PrintStream out) throws Exception {
    if (args.length == 0 || args[0].equals("--help") || args[0].equals("-h")) {
      out.print(USAGE);
      out.println("\nbenchmarks, each answering the question in its Javadoc:");
      JmhRun.list().forEach(name -> out.println("  " + name));
      out.println("\ntargets:");
      Target.ALL.forEach(
          target ->
              out.println(
                  "  " + target.id() + " " + target.subject() + ": " + target.description()));
      return 0;
    }
    String[] options =
        Arrays.stream(args, 1, args.length)
            .map(option -> option.equals("-h") ? "--help" : option)
            .toArray(String[]::new);
    if (List.of(options).contains("--help") && !COMMANDS_WITH_HELP.contains(args[0])) {
      out.print(USAGE);
      return 0;
    }
    return switch (args[0]) {
      case "jmh" -> JmhRun.run(options, out);
      case "decide" -> DecideRun.run(options, out);
      case "destinations" -> DestinationLatencyBench.run(options, out);
      case "quality" -> QualityBench.run(options, out);
      case "http" -> HttpComparison.run(options, out);
      case "ladder" -> Ladder.run(options, out);
      case "start" -> Starts.run(options, out);
      case "restart" -> Restarts.run(options, out);
      case "profile" -> Profile.run(options, out);
      case "report" -> ReportBench.run(options, out);
      case "safety" -> SafetyBench.run(options, out);
      case "ledger-stress" -> LedgerStress.run(out);
      default -> {
        out.print("unknown command " + args[0] + "\n" + USAGE);
        yield 2;
      }
    };
  }
}
