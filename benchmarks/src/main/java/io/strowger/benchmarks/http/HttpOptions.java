package io.strowger.benchmarks.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line of {@code bench http} asks for.
 *
 * @param scenarios in the order of {@link Scenario#ALL}
 * @param memory a gateway that forgets everything takes part
 * @param durable a gateway with a data directory takes part
 * @param connections at once under load
 * @param warmUp load on all parties of a scenario together, at most
 * @param turns in which the parties are called one request at a time
 * @param load on each party of a scenario
 * @param baseline class path of another build of the host, whose gateways take part; null for none
 */
record HttpOptions(
    List<Scenario> scenarios,
    boolean memory,
    boolean durable,
    int connections,
    Duration warmUp,
    Duration turns,
    Duration load,
    @Nullable String baseline) {
  static final String USAGE =
      """
      http takes --scenario 1k|32k|stream  only this one; may be repeated
                 --gateway memory|durable  only this one beside direct calls and the relay
                 --baseline CLASSPATH      also the gateway of another build of the host, such as
                                           '/before/host/target/host.jar:/before/host/target/lib/*'
                 --warm-up S               seconds of load before figures count, all parties together (60)
                 --turns S                 seconds of one request at a time, all parties together (20)
                 --load S                  seconds of load on each party (8)
                 --connections N           at once under load (16)
                 --quick                   a quarter of those times: only ratios mean something
      """;
  private static final int MOST_SECONDS = 3_600;
  private static final int MOST_CONNECTIONS = 1_000;
  private static final int QUICKER = 4;

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException when it is not understood
   */
  static HttpOptions of(String... args) {
    var asked = new Asked();
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--quick")) {
        asked.divisor = QUICKER;
      } else if (i + 1 < args.length) {
        asked.take(args[i], args[++i]);
      } else {
        throw new IllegalArgumentException(args[i]);
      }
    }
    return asked.options();
  }

  /** The options while they are being read. */
  private static final class Asked {
    private final List<String> scenarios = new ArrayList<>();
    private final List<String> gateways = new ArrayList<>();
    private int connections = 16;
    private int warmUp = 60;
    private int turns = 20;
    private int load = 8;
    private int divisor = 1;
    private @Nullable String baseline;

    private void take(String option, String value) {
      switch (option) {
        case "--scenario" -> scenarios.add(Scenario.of(value).id());
        case "--gateway" -> gateways.add(gateway(value));
        case "--baseline" -> baseline = value;
        case "--warm-up" -> warmUp = number(value, MOST_SECONDS);
        case "--turns" -> turns = number(value, MOST_SECONDS);
        case "--load" -> load = number(value, MOST_SECONDS);
        case "--connections" -> connections = number(value, MOST_CONNECTIONS);
        default -> throw new IllegalArgumentException(option);
      }
    }

    private static String gateway(String value) {
      if (!value.equals("memory") && !value.equals("durable")) {
        throw new IllegalArgumentException("there is no gateway " + value);
      }
      return value;
    }

    private static int number(String value, int most) {
      int number = Integer.parseInt(value);
      if (number < 1 || number > most) {
        throw new IllegalArgumentException("1 to " + most + ", not " + number);
      }
      return number;
    }

    private HttpOptions options() {
      return new HttpOptions(
          Scenario.ALL.stream()
              .filter(one -> scenarios.isEmpty() || scenarios.contains(one.id()))
              .toList(),
          gateways.isEmpty() || gateways.contains("memory"),
          gateways.isEmpty() || gateways.contains("durable"),
          connections,
          time(warmUp),
          time(turns),
          time(load),
          baseline);
    }

    private Duration time(int seconds) {
      return Duration.ofSeconds(seconds).dividedBy(divisor);
    }
  }
}
