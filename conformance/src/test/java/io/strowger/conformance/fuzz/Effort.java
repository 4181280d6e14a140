package io.strowger.conformance.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * The effort of some work in this thread: its processor time and the bytes that it allocated. Other
 * programs and garbage collection do not count, as they would in elapsed time.
 *
 * @param nanos the processor time
 * @param bytes the allocated bytes
 */
record Effort(long nanos, long bytes) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int RUNS = 5;

  /** Measures a few runs and returns the least effort, since disturbances only add to it. */
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
