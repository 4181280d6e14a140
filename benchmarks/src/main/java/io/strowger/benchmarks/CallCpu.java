package io.strowger.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Processor time of the calling thread, which does all of a call's work but the upstream's. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class CallCpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Nanoseconds. */
  public long cpuNanos;

  /** How many calls they were for. */
  public long calls;

  private long before;
  private long counted;

  @Setup(Level.Iteration)
  public void begin() {
    counted = 0;
    before = THREADS.getCurrentThreadCpuTime();
  }

  @TearDown(Level.Iteration)
  public void end() {
    cpuNanos = THREADS.getCurrentThreadCpuTime() - before;
    calls = counted;
  }

  /** One more call. */
  void count() {
    counted++;
  }
}
