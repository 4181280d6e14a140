package io.strowger.conformance.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What work costs this thread. Its own processor time and the bytes it allocated, not the time that
 * passed: what else the machine does, and collecting garbage, do not count.
 *
 * @param nanos of the processor
 * @param bytes allocated
 */
record Effort(long nanos, long bytes) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int RUNS = 5;

  /** The least of a few runs: whatever disturbs one only adds to it. */
  static Effort of(Runnable work) {
    long nanos = Long.MAX_VALUE;
    long bytes = Long.MAX_VALUE;
    for (int run = 0; run < RUNS; run++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      long start = THREADS.getCurrentThreadCpuTime();
      work.run();
      nanos = Math.min(nanos, THREADS.getCurrentThreadCpuTime() - start);
      bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return new Effort(nanos, bytes);
  }
}
