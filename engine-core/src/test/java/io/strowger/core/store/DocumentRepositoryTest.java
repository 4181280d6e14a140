package io.strowger.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.memory.MemoryDocuments;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Order;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A repository of documents")
class DocumentRepositoryTest {
  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00.123456789Z");
  private final MemoryDocuments documents = new MemoryDocuments();
  private final StoreWatch watch = new StoreWatch(documents, ambient);
  private final DocumentRepository repository = new DocumentRepository(watch, "count", ambient);

  @AfterEach
  void noThreads() {
    watch.close();
    ambient.assertNoThreadsLeft();
  }

  private static Json.Obj value(long number) {
    return Json.object().put("value", number).build();
  }

  private static Document increment(Document current, Instant at) {
    return current.next(at, value(current.body().longValue("value", -1) + 1));
  }

  @Test
  @DisplayName("adds a document once, at a time of whole microseconds")
  void add() {
    Document first = repository.newDocument("a", "g", value(1));
    assertThat(first.createdAt()).isEqualTo("2026-11-21T12:00:00.123456Z");
    assertThat(repository.add(first)).isTrue();
    assertThat(repository.add(repository.newDocument("a", "h", value(2)))).isFalse();
    assertThat(repository.find("a")).isEqualTo(first);
  }

  @Test
  @DisplayName("changes and removes only documents that exist")
  void absent() {
    assertThat(repository.change("a", DocumentRepositoryTest::increment)).isNull();
    assertThat(repository.remove("a")).isFalse();
    repository.add(repository.newDocument("a", "", value(1)));
    assertThat(repository.change("a", (current, at) -> current))
        .extracting(Document::version)
        .as("an unchanged document keeps its version")
        .isEqualTo(1L);
    assertThat(repository.remove("a")).isTrue();
    assertThat(repository.find("a")).isNull();
  }

  /** A store that removes the oldest document after each of the first listings. */
  private static final class ShrinkingStore extends ForwardingDocuments {
    private int removals;

    ShrinkingStore(DocumentStore store, int removals) {
      super(store);
      this.removals = removals;
    }

    @Override
    public Page list(Filter filter) {
      Page page = super.list(filter);
      if (removals > 0) {
        removals--;
        var first = new Filter(filter.kind(), filter.group(), true, Order.OLDEST_FIRST, 0, 1);
        Document oldest = super.list(first).documents().getFirst();
        super.write(List.of(new Write.Remove(oldest.kind(), oldest.id(), oldest.version())));
      }
      return page;
    }
  }

  private List<String> findAllWhileRemoving(int removals) {
    var writes = new ArrayList<DocumentStore.Write>();
    for (int i = 0; i < 2_500; i++) {
      writes.add(
          new DocumentStore.Write.Insert(
              repository.newDocument("id-%05d".formatted(i), "g", value(i))));
    }
    assertThat(documents.write(writes)).isTrue();
    try (var shrinking = new StoreWatch(new ShrinkingStore(documents, removals), ambient)) {
      return new DocumentRepository(shrinking, "count", ambient)
          .findAll("g").stream().map(Document::id).toList();
    }
  }

  @Test
  @DisplayName("finds every remaining document even if others are removed between two pages")
  void removedBetweenPages() {
    List<String> found = findAllWhileRemoving(3);
    assertThat(found).doesNotHaveDuplicates().hasSize(2_497).startsWith("id-00003");
    assertThat(found).contains("id-01000", "id-01001", "id-02000", "id-02499");
  }

  @Test
  @DisplayName("fails rather than leave out a document when removals do not end")
  void removedWithoutEnd() {
    assertThatThrownBy(() -> findAllWhileRemoving(Integer.MAX_VALUE))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("documents of kind count are removed again and again");
  }

  @Test
  @DisplayName("loses none of many concurrent changes")
  void race() throws InterruptedException {
    repository.add(repository.newDocument("a", "", value(0)));
    var start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      start.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    for (int j = 0; j < 50; j++) {
                      repository.change("a", DocumentRepositoryTest::increment);
                    }
                  }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(repository.find("a"))
        .extracting(found -> found.body().longValue("value", -1))
        .isEqualTo(800L);
  }

  @Proves("error.409")
  @Test
  @DisplayName("gives up with 409 when another writer is always faster")
  void conflict() {
    repository.add(repository.newDocument("a", "", value(0)));
    var other = new DocumentRepository(watch, "count", ambient);
    assertThatThrownBy(
            () ->
                repository.change(
                    "a",
                    (current, at) -> {
                      other.change("a", DocumentRepositoryTest::increment);
                      return increment(current, at);
                    }))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("Resource conflict. Please try again later.");
  }

  @Test
  @DisplayName("lists a group in pages, and finds all of a group however large it is")
  void lists() {
    for (int i = 0; i < 1_001; i++) {
      repository.add(
          repository.newDocument("%04d".formatted(i), i % 2 == 0 ? "even" : "odd", value(i)));
    }
    assertThat(repository.findAll(null)).hasSize(1_001);
    assertThat(repository.findAll("odd")).hasSize(500);
    DocumentStore.Page page = repository.list("odd", false, Order.OLDEST_FIRST, 498, 10);
    assertThat(page.total()).isEqualTo(500);
    assertThat(page.documents()).extracting(Document::id).containsExactly("0997", "0999");
    assertThat(repository.list("odd", false, Order.OLDEST_FIRST, Long.MAX_VALUE, 10).documents())
        .isEmpty();
  }

  @Test
  @DisplayName("drops the cached copy of a document that it writes or removes, before it returns")
  void copies() {
    DocumentCache<Long> cache = watch.newCache("count", d -> d.body().longValue("value", -1), 10);
    List<@Nullable Object> dropped = new ArrayList<>();
    watch.addListener(
        new DocumentChangeListener() {
          @Override
          public Set<String> kinds() {
            return Set.of("count", "other");
          }

          @Override
          public void invalidate(DocumentStore.Ref changed) {
            dropped.add(changed.id() + cache.find(changed.id()));
          }

          @Override
          public void dropAll() {
            dropped.add("all");
          }
        });
    assertThat(cache.find("a")).isNull();
    assertThat(cache.isCached("a")).isTrue();
    repository.add(repository.newDocument("a", "", value(1)));
    repository.change("a", DocumentRepositoryTest::increment);
    assertThat(cache.find("a")).isEqualTo(2L);
    repository.remove("a");
    assertThat(cache.find("a")).isNull();
    assertThat(dropped)
        .as("listeners are called after the copies are dropped")
        .containsExactly("a1", "a2", "anull");
  }
}
