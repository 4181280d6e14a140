package io.strowger.core.administration;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryDocuments;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.ForwardingDocuments;
import io.strowger.core.store.StoreWatch;
import io.strowger.tck.TestAmbient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The former hashes of keys")
class KeyAliasesTest {
  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final SlowStore store = new SlowStore();
  private final KeyAliases aliases =
      new KeyAliases(
          new DocumentRepository(new StoreWatch(store, ambient), KeyAliases.KIND, ambient));

  /** A store that counts its listings and holds each until the test releases it. */
  private static final class SlowStore extends ForwardingDocuments {
    private final AtomicInteger listings = new AtomicInteger();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    SlowStore() {
      super(new MemoryDocuments());
    }

    @Override
    public Page list(Filter filter) {
      listings.incrementAndGet();
      started.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return super.list(filter);
    }
  }

  @Test
  @DisplayName("are read once, even if many requests with unknown keys arrive at the start")
  void once() throws InterruptedException {
    Runnable lookup = () -> assertThat(aliases.current("unknown")).isNull();
    List<Thread> threads = new ArrayList<>();
    threads.add(ambient.start("first", lookup));
    store.started.await();
    for (int i = 0; i < 20; i++) {
      threads.add(ambient.start("other", lookup));
    }
    for (Thread thread : threads) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    store.released.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(store.listings).hasValue(1);
    ambient.assertNoThreadsLeft();
  }
}
