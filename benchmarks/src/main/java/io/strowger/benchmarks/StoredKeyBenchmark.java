package io.strowger.benchmarks;

import io.strowger.benchmarks.http.TemporaryFolder;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.authentication.Caller;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Credential;
import io.strowger.stores.JdbcStores;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@link KeyBenchmark} over a durable store: what does it cost a request that its ledger entry is
 * written to a journal and reaches a database? This benchmark has no target.
 *
 * <p>Runs a fixed number of requests at a time, because each is written to disk. A pause follows,
 * in which the database catches up, so that the database does not share the processors with the
 * next requests.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(StoredKeyBenchmark.REQUESTS)
@Fork(1)
@Warmup(iterations = 60)
@Measurement(iterations = 40)
public class StoredKeyBenchmark {
  /** The number of requests in one invocation. */
  static final int REQUESTS = 500;

  private static final int KEYS = 100;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** A new database, which is deleted at the end. */
  @State(Scope.Benchmark)
  public static class Shared {
    private final Ambient ambient = new SystemAmbient();
    private final AtomicLong billCount = new AtomicLong();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /** The database: a file, or a server that is started for the benchmark. */
    @Param({"h2", "postgresql"})
    public String store = "h2";

    private @Nullable KeyLoad load;

    /** Opens the database and gets a first slice for every key. */
    @Setup
    public void open() throws IOException {
      var folder = TemporaryFolder.create("strowger-bench");
      resources.push(folder);
      JdbcStores stores = JdbcStores.open(settings(folder.path()), new JacksonCodec(), ambient);
      resources.push(stores);
      load = new KeyLoad(stores.ledger(), KEYS);
      resources.push(load);
      for (int key = 0; key < KEYS; key++) {
        admitHoldSettle(key);
      }
    }

    /** Waits, so that the database receives the pending entries. */
    @Setup(Level.Iteration)
    public void pause() throws InterruptedException {
      ambient.sleep(PAUSE);
    }

    private JdbcStores.Settings settings(Path data) throws IOException {
      if (!store.equals("postgresql")) {
        String url = "jdbc:h2:file:" + data.resolve("store");
        return new JdbcStores.Settings(url, null, Credential.NONE, data);
      }
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setDataDirectory(Files.createTempDirectory("strowger-bench-server"))
              .setCleanDataDirectory(true)
              .start();
      resources.push(server);
      String url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
      return new JdbcStores.Settings(url, "postgres", Credential.NONE, data);
    }

    Caller admitHoldSettle(int key) {
      if (load == null) {
        throw new IllegalStateException("call open first");
      }
      return load.admitHoldSettle(key, KeyLoad.bill("gen-" + billCount.getAndIncrement()));
    }

    /** Stops everything and removes what was written. */
    @TearDown
    public void close() throws Exception {
      while (!resources.isEmpty()) {
        resources.pop().close();
      }
    }
  }

  @Benchmark
  @Threads(1)
  public int admitHoldSettle(Shared shared) {
    return runRequests(shared);
  }

  @Benchmark
  @Threads(2)
  public int admitHoldSettleOnTwo(Shared shared) {
    return runRequests(shared);
  }

  private static int runRequests(Shared shared) {
    int total = 0;
    for (int i = 0; i < REQUESTS; i++) {
      total += shared.admitHoldSettle(i % KEYS).name().length();
    }
    return total;
  }
}
