package io.strowger.benchmarks.http;

import io.strowger.benchmarks.BenchOptions;
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
    BenchOptions arguments = LoadPlan.arguments(args, "--gateway", "--baseline");
    String gateway = arguments.word("--gateway", HttpComparison.MEMORY, HttpComparison.DURABLE);
    return new HttpOptions(
        LoadPlan.of(arguments, 60, 20, 8),
        !HttpComparison.DURABLE.equals(gateway),
        !HttpComparison.MEMORY.equals(gateway),
        arguments.last("--baseline"));
  }
}
