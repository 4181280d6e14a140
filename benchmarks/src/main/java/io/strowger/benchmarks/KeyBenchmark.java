package io.strowger.benchmarks;

import io.strowger.core.authentication.Caller;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.store.LedgerEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What does it cost to authenticate a key, to hold money for it and to settle, and do two threads
 * slow each other down? All keys belong to one account and have a daily limit each. The ledger is
 * in memory. Each thread uses the keys one after the other.
 *
 * <p>Target K1, for {@link #admitHoldSettle} with a hundred keys: at most 600 ns (better: 300) and
 * 400 bytes for each call, and at most 1.8 times the time of {@link #sha256Key} in the same run.
 * Two threads together handle at least 1.5 times as many calls a second as one. {@link
 * StoredKeyBenchmark} measures the same over a database.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class KeyBenchmark {
  /** The state that the threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    final List<LedgerEntry> bill = KeyLoad.bill("gen-1");

    /** The number of keys; thousands do not fit in the processor's caches. */
    @Param({"100", "10000"})
    public int keyCount;

    private @Nullable KeyLoad load;

    /** Creates the keys. */
    @Setup
    public void setUp() {
      load = new KeyLoad(new MemoryLedgerStore(), keyCount);
    }

    KeyLoad load() {
      if (load == null) {
        throw new IllegalStateException("call setUp first");
      }
      return load;
    }

    /** Closes the ledger, which ends its thread. */
    @TearDown
    public void close() {
      load().close();
    }
  }

  /** The position of each thread among the keys. */
  @State(Scope.Thread)
  public static class ThreadState {
    final MessageDigest digest = sha256();
    private int next;

    /** Starts each thread at a different key; all threads use all keys. */
    @Setup
    public void begin(Shared shared, ThreadParams thread) {
      next = thread.getThreadIndex() * (shared.keyCount / thread.getThreadCount());
    }

    int nextKey(Shared shared) {
      next = next + 1 >= shared.keyCount ? 0 : next + 1;
      return next;
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  /** The floor: the digest alone. */
  @Benchmark
  @Threads(1)
  public byte[] sha256Key(Shared shared, ThreadState state) {
    String header = shared.load().header(state.nextKey(shared));
    return state.digest.digest(
        header.substring("Bearer ".length()).getBytes(StandardCharsets.UTF_8));
  }

  @Benchmark
  @Threads(1)
  public Caller admitHoldSettle(Shared shared, ThreadState state) {
    return shared.load().admitHoldSettle(state.nextKey(shared), shared.bill);
  }

  @Benchmark
  @Threads(2)
  public Caller admitHoldSettleOnTwo(Shared shared, ThreadState state) {
    return shared.load().admitHoldSettle(state.nextKey(shared), shared.bill);
  }
}
