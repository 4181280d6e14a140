package io.strowger.benchmarks.http;

import java.time.Duration;

/**
 * The resources that a process has used, since its start or between two moments.
 *
 * @param cpu the processor time of all its threads
 * @param allocated the bytes that its Java threads, including virtual ones, allocated on the heap
 */
public record ProcessUsage(Duration cpu, long allocated) {
  /** No usage, for a process that is not measured. */
  public static final ProcessUsage NONE = new ProcessUsage(Duration.ZERO, 0);

  public ProcessUsage minus(ProcessUsage earlier) {
    return new ProcessUsage(cpu.minus(earlier.cpu), allocated - earlier.allocated);
  }
}
