package io.strowger.host;

import java.util.Properties;

/**
 * How many threads carry virtual threads: more than there are processors.
 *
 * <p>A virtual thread that computes keeps its carrier, and with one carrier a processor a few of
 * them, such as large bodies that are parsed, stop all others and the health probe. With several
 * carriers a processor, the operating system divides the processors among them, and whoever was
 * waiting comes first.
 */
final class CarrierThreads {
  /** The JDK's own setting; read when the first virtual thread starts. */
  static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  private static final int PER_PROCESSOR = 4;
  private static final int LEAST = 8;

  private CarrierThreads() {}

  /** Sets their number, unless an operator did. For before the first virtual thread. */
  static void provide(Properties properties, int processors) {
    properties.putIfAbsent(
        PARALLELISM, Integer.toString(Math.max(LEAST, PER_PROCESSOR * processors)));
  }
}
