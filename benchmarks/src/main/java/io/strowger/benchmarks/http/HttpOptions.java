package io.strowger.benchmarks.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code bench http}.
 *
 * @param plan the scenarios and times
 * @param memory whether a gateway that keeps everything in memory takes part
 * @param durable whether a gateway with a data directory takes part
 * @param baseline the class path of another build of the host, whose gateways take part, too; null
 *     for none
 */
record HttpOptions(LoadPlan plan, boolean memory, boolean durable, @Nullable String baseline) {
  static final String USAGE =
      """
      http takes --scenario 1k|32k|stream  run only these scenarios; give the option once for each
                 --gateway memory|durable  only this gateway beside direct calls and the relay
                 --baseline CLASSPATH      also the gateway of another build of the host, such as
                                           '/before/host/target/host.jar:/before/host/target/lib/*'
                 --warm-up S               seconds of load before figures count, all contenders together (60)
                 --serial S                seconds of one request at a time, all contenders together (20)
                 --load S                  seconds of load on each contender (8)
                 --connections N           at once under load (16)
                 --quick                   a quarter of those times; then only ratios are reliable
      """;

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException when an option is unknown or its value is invalid
   */
  static HttpOptions of(String... args) {
    var plan = new LoadPlan.Builder(60, 20, 8);
    List<String> gateways = new ArrayList<>();
    String baseline = null;
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (option.equals("--quick")) {
        plan.quick();
        continue;
      }
      if (!option.equals("--gateway") && !option.equals("--baseline")) {
        LoadPlan.requireOption(option);
      }
      if (++i == args.length) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      switch (option) {
        case "--gateway" -> gateways.add(gateway(args[i]));
        case "--baseline" -> baseline = args[i];
        default -> plan.setOption(option, args[i]);
      }
    }
    return new HttpOptions(
        plan.build(),
        gateways.isEmpty() || gateways.contains(HttpComparison.MEMORY),
        gateways.isEmpty() || gateways.contains(HttpComparison.DURABLE),
        baseline);
  }

  private static String gateway(String value) {
    if (!value.equals(HttpComparison.MEMORY) && !value.equals(HttpComparison.DURABLE)) {
      throw new IllegalArgumentException("--gateway must be memory or durable, was " + value);
    }
    return value;
  }
}
