package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.Readiness;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.host.server.ReloadResult;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // the tests poll
@DisplayName("A gateway whose store cannot be reached")
class DeferredGatewayTest {
  private final TestAmbient ambient = TestAmbient.at("2026-11-22T12:00:00Z");
  private final FakeStore store = new FakeStore();
  private final DeferredGateway backend = new DeferredGateway(store, this::gateway, ambient);

  /** A store that can be reached while {@code available} is true. */
  private static final class FakeStore implements StoreChoice.PreparedStore {
    final AtomicInteger attempts = new AtomicInteger();
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    boolean preparationClosed;
    final Queue<Boolean> losses = new ArrayDeque<>(); // one for each store lost at its first use
    volatile boolean available;
    volatile @Nullable CommandException refusal;

    @Override
    public Stores open() throws CommandException {
      attempts.incrementAndGet();
      CommandException exception = refusal;
      if (exception != null) {
        throw exception;
      }
      if (!available) {
        throw new StoreUnavailableException("cannot reach the database", null);
      }
      opened.incrementAndGet();
      return new OpenedStores(new MemoryStores(), losses.poll() != null, closed);
    }

    @Override
    public void close() {
      preparationClosed = true;
    }
  }

  /**
   * An opened store.
   *
   * @param lost whether the store is lost before it is used first
   * @param closed counts the calls of {@code close}
   */
  private record OpenedStores(MemoryStores memory, boolean lost, AtomicInteger closed)
      implements Stores {
    @Override
    public DocumentStore documents() {
      if (lost) {
        throw new StoreUnavailableException("the database went away", null);
      }
      return memory.documents();
    }

    @Override
    public LedgerStore ledger() {
      return memory.ledger();
    }

    @Override
    public BatchStore batches() {
      return memory.batches();
    }

    @Override
    public AuditStore audit() {
      return memory.audit();
    }

    @Override
    public GenerationStore generations() {
      return memory.generations();
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private DeferredGateway.GatewayHandlers gateway(Stores stores) {
    GatewayConfig config;
    try {
      config =
          new ConfigReader(new JacksonCodec(), name -> "secret")
              .read(CommandsTest.CONFIG.getBytes(StandardCharsets.UTF_8))
              .orThrow();
    } catch (RuntimeException e) {
      throw new AssertionError(e);
    }
    var resources = new RunningGateway.HostResources(stores, SecretKeySource.NONE, null);
    RunningGateway running = RunningGateway.open(config, ambient, resources);
    return new DeferredGateway.GatewayHandlers(
        running, running.api(by -> new ReloadResult.Unreadable()), ReloadResult.Unreadable::new);
  }

  @AfterEach
  void nothingIsLeft() {
    backend.close();
    ambient.assertNoThreadsLeft();
    assertThat(store.preparationClosed).as("the prepared store was closed").isTrue();
    assertThat(store.closed).hasValue(store.opened.get());
  }

  private WireResponse ask(String path) {
    return backend.handle(
        new WireRequest(
            "GET",
            path,
            "",
            name -> name.equals("Authorization") ? "Bearer sk-admin" : null,
            InputStream.nullInputStream(),
            new Cancellation()));
  }

  private static String body(WireResponse response) throws IOException {
    var out = new ByteArrayOutputStream();
    while (response.body().writeNext(out)) {
      // until nothing is left
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Waits until the thread that waits for the store sleeps; threads of a gateway sleep, too. */
  private void awaitPause() {
    ambient.awaitSleep("strowger-store-wait");
  }

  private void makeAvailable(Duration pause) {
    store.available = true;
    ambient.advance(pause);
    while (backend.readiness() != Readiness.READY) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("answers only 503 with the reason and Retry-After, in the error format of the path")
  void refused() throws Exception {
    backend.start();
    assertThat(backend.readiness()).isEqualTo(Readiness.STORE_UNAVAILABLE);
    for (String path : new String[] {"/keys", "/health", "/chat/completions", "/messages", "/x"}) {
      WireResponse answer = ask(path);
      assertThat(answer.status()).as(path).isEqualTo(503);
      assertThat(answer.headers()).as(path).containsEntry("Retry-After", "5");
      assertThat(body(answer))
          .contains("The store of keys and budgets cannot be")
          .contains(path.equals("/messages") ? "\"type\":\"error\"" : "\"code\":503");
    }
    assertThat(backend.reload()).isInstanceOf(ReloadResult.StoreUnavailable.class);
  }

  @Test
  @DisplayName(
      "serves everything as soon as the store is available, including the keys of the file")
  void recovers() throws Exception {
    backend.start();
    awaitPause();
    makeAvailable(Duration.ofMillis(250));
    assertThat(ask("/health").status()).isEqualTo(200);
    assertThat(body(ask("/keys"))).contains("\"name\":\"app\"");
    assertThat(store.opened).hasValue(1);
  }

  @Test
  @DisplayName("tries to open the store at growing intervals of at most five seconds")
  void backsOff() throws Exception {
    backend.start();
    for (int millis : new int[] {250, 500, 1000, 2000, 4000, 5000, 5000, 5000}) {
      awaitPause();
      int before = store.attempts.get();
      ambient.advance(Duration.ofMillis(millis - 1));
      assertThat(store.attempts).hasValue(before);
      ambient.advance(Duration.ofMillis(1));
      awaitPause();
      assertThat(store.attempts).hasValue(before + 1);
    }
    makeAvailable(Duration.ofSeconds(5));
  }

  @Test
  @DisplayName(
      "closes what it opened, and tries again, when the store is lost while the gateway starts")
  void lostAgain() throws Exception {
    store.available = true;
    store.losses.add(true);
    backend.start();
    assertThat(backend.readiness()).isEqualTo(Readiness.STORE_UNAVAILABLE);
    assertThat(store.closed).hasValue(1);
    awaitPause();
    makeAvailable(Duration.ofMillis(250));
    assertThat(body(ask("/keys"))).contains("\"name\":\"app\"");
  }

  @Test
  @DisplayName("stops trying when the store turns out to be unusable")
  void becomesUnusable() throws Exception {
    var notifications = new AtomicInteger();
    backend.start();
    backend.onStartFailure(notifications::incrementAndGet);
    assertThat(backend.startFailure()).isNull();
    awaitPause();
    store.refusal = new CommandException("the database was written by a later version");
    ambient.advance(Duration.ofMillis(250));
    while (notifications.get() == 0) {
      Thread.onSpinWait();
    }
    assertThat(backend.startFailure()).hasMessage("the database was written by a later version");
    backend.onStartFailure(notifications::incrementAndGet);
    assertThat(notifications).hasValue(2);
  }

  @Test
  @DisplayName("does not start when the store is unusable from the beginning")
  void atOnce() {
    store.refusal = new CommandException("wrong password");
    assertThatThrownBy(backend::start)
        .isInstanceOf(CommandException.class)
        .hasMessage("wrong password");
  }
}
