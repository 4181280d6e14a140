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
 * Processor time and allocated bytes of the calling thread, which does all of a call's work but the
 * upstream's and that of threads that deliver something afterwards.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class CallCpu {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /** Nanoseconds. */
  public long cpuNanos;

  /** Bytes. */
  public long callerBytes;

  /** How many calls they were for. */
  public long calls;

  private long before;
  private long bytesBefore;
  private long counted;

  @Setup(Level.Iteration)
  public void begin() {
    counted = 0;
    bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
    before = THREADS.getCurrentThreadCpuTime();
  }

  @TearDown(Level.Iteration)
  public void end() {
    cpuNanos = THREADS.getCurrentThreadCpuTime() - before;
    callerBytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
    calls = counted;
  }

  /** One more call. */
  void count() {
    counted++;
  }
}
