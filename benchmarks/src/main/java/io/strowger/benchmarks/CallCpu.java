package io.strowger.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Processor time and allocated bytes of the calling thread, which does all work of a call except
 * the upstream's work and the later delivery of records by other threads.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class CallCpu {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /** The processor time of all calls of an iteration, in nanoseconds. */
  public long cpuNanos;

  /** The bytes that all calls of an iteration allocated. */
  public long callerBytes;

  /** The number of calls of the iteration. */
  public long calls;

  private long cpuBefore;
  private long bytesBefore;
  private long callCount;

  @Setup(Level.Iteration)
  public void begin() {
    callCount = 0;
    bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
    cpuBefore = THREADS.getCurrentThreadCpuTime();
  }

  @TearDown(Level.Iteration)
  public void end() {
    cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuBefore;
    callerBytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
    calls = callCount;
  }

  /** Counts one call. */
  void count() {
    callCount++;
  }
}
