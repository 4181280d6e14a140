package io.strowger.benchmarks;

import io.strowger.core.account.Access;
import io.strowger.core.account.Accounts;
import io.strowger.core.account.Caller;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Budget;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Entry;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Ledger.Claim;
import io.strowger.spi.store.Ledger.Outcome;
import io.strowger.spi.store.Payer;
import io.strowger.spi.store.Period;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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

/**
 * What does it cost to know a key, to set money aside for it and to pay? Keys of one account in
 * memory, each with a daily limit, in turn; the account has one too, so all threads meet there.
 *
 * <p>Target K1: at most 600 ns, 300 wanted, 400 bytes, and at most 1.8 times {@link #sha256Key},
 * the digest alone, in the same run; of a hundred keys.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class KeyBenchmark {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");
  private static final long DEADLINE = Long.MAX_VALUE / 2; // of the clock for measuring: never

  /** What the threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    final Map<KeyId, Accounts.Live> keys = new HashMap<>();
    final Accounts accounts = new Accounts(keys::get, () -> AT);
    final BookLedger ledger = new BookLedger(new MemoryLedgerStore(), new SystemAmbient());
    String[] headers = {};

    /** How many keys there are; thousands do not stay in the processor's caches. */
    @Param({"100", "10000"})
    public int keyCount;

    final Charge hold = Charge.credits(new Usd(500_000));
    final List<Entry> bill =
        List.of(
            new Entry(
                "gen-1",
                0,
                AT,
                "acme",
                "",
                CallRecord.Outcome.COMPLETE,
                Usage.NONE,
                Charge.credits(new Usd(1))));

    /** Makes the keys. */
    @Setup
    public void make() {
      headers = new String[keyCount];
      Payer account =
          Payer.account(List.of(new Budget(Period.LIFETIME, new Usd(Long.MAX_VALUE), false)));
      for (int i = 0; i < keyCount; i++) {
        String plain = "sk-gw-v1-" + "0123456789abcdef".repeat(3) + i;
        KeyId id = Accounts.id(new Credential(plain));
        var limit = new Budget(Period.DAILY, new Usd(1_000_000_000_000L), false);
        var key = new Payer(Payer.Kind.KEY, id.hex(), List.of(limit));
        var caller = new Caller(id, "k" + i, false, List.of(key, account));
        keys.put(id, new Accounts.Live(caller, false, null));
        headers[i] = "Bearer " + plain;
      }
    }

    /** Ends its thread. */
    @TearDown
    public void close() {
      ledger.close();
    }
  }

  /** Where each thread is. */
  @State(Scope.Thread)
  public static class Own {
    final MessageDigest digest = sha256();
    private int next;

    String header(Shared shared) {
      next = next + 1 >= shared.headers.length ? 0 : next + 1;
      return shared.headers[next];
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  /** The floor. */
  @Benchmark
  @Threads(1)
  public byte[] sha256Key(Shared shared, Own own) {
    return own.digest.digest(
        own.header(shared).substring("Bearer ".length()).getBytes(StandardCharsets.UTF_8));
  }

  @Benchmark
  @Threads(1)
  public Caller admitHoldSettle(Shared shared, Own own) {
    return act(shared, own);
  }

  @Benchmark
  @Threads(2)
  public Caller admitHoldSettleOnTwo(Shared shared, Own own) {
    return act(shared, own);
  }

  private static Caller act(Shared shared, Own own) {
    Caller caller = shared.accounts.admit(own.header(shared), Access.INFERENCE);
    var claim = new Claim(caller.payers(), shared.hold, AT, DEADLINE);
    if (shared.ledger.hold(claim) instanceof Outcome.Granted granted) {
      granted.reservation().settle(shared.bill);
      return caller;
    }
    throw new IllegalStateException("no money");
  }
}
