package io.strowger.benchmarks.http;

import java.time.Duration;

/**
 * The resources that a process has used, since its start or between two moments.
 *
 * @param cpu processor time of all its threads
 * @param allocated bytes its Java threads allocated on the heap, those of virtual threads included
 */
public record ProcessUsage(Duration cpu, long allocated) {
  /** No usage, for a process that is not measured. */
  public static final ProcessUsage NONE = new ProcessUsage(Duration.ZERO, 0);

  public ProcessUsage minus(ProcessUsage earlier) {
    return new ProcessUsage(cpu.minus(earlier.cpu), allocated - earlier.allocated);
  }
}
