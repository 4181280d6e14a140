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

  /** Lists when the test says so, and counts. */
  private static final class SlowStore extends ForwardingDocuments {
    private final AtomicInteger listed = new AtomicInteger();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    SlowStore() {
      super(new MemoryDocuments());
    }

    @Override
    public Page list(Filter filter) {
      listed.incrementAndGet();
      asked.countDown();
      try {
        answered.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return super.list(filter);
    }
  }

  @Test
  @DisplayName("are read once, however many strangers come with the start")
  void once() throws InterruptedException {
    Runnable stranger = () -> assertThat(aliases.current("unknown")).isNull();
    List<Thread> strangers = new ArrayList<>();
    strangers.add(ambient.start("first", stranger));
    store.asked.await();
    for (int i = 0; i < 20; i++) {
      strangers.add(ambient.start("stranger", stranger));
    }
    for (Thread thread : strangers) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    store.answered.countDown();
    for (Thread thread : strangers) {
      thread.join();
    }
    assertThat(store.listed).hasValue(1);
    ambient.assertNoThreadsLeft();
  }
}
