package io.strowger.host;

import java.util.Properties;

/**
 * Sets the number of threads that carry virtual threads, to more than there are processors.
 *
 * <p>A virtual thread that computes keeps its carrier. With one carrier per processor, a few such
 * threads, which parse large bodies for example, would stop all others and the health probe. With
 * several carriers per processor, the operating system shares the processors among the carriers and
 * prefers those that have been waiting.
 */
final class CarrierThreads {
  /**
   * The JDK's system property for the number; the JDK reads it when the first virtual thread
   * starts.
   */
  static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  private static final int PER_PROCESSOR = 4;
  private static final int MIN_CARRIERS = 8;

  private CarrierThreads() {}

  /**
   * Sets the number of carriers, unless an operator has set it. Call before the first virtual
   * thread starts.
   */
  static void setCarriers(Properties properties, int processors) {
    properties.putIfAbsent(
        PARALLELISM, Integer.toString(Math.max(MIN_CARRIERS, PER_PROCESSOR * processors)));
  }
}
