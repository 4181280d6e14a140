package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Changes;
import io.strowger.spi.store.DocumentStore.Filter;
import io.strowger.spi.store.DocumentStore.Order;
import io.strowger.spi.store.DocumentStore.Ref;
import io.strowger.spi.store.DocumentStore.Write;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of concurrent use of a {@link DocumentStore}, on one node or on several. The
 * author of a store extends this class, {@link DocumentStoreContract} and {@link
 * DocumentListingContract}.
 */
public abstract class DocumentConcurrencyContract {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final int WRITERS = 8;

  private final String kind = "kind-" + UUID.randomUUID();

  /** Returns an open store. */
  protected abstract DocumentStore store();

  /**
   * Returns the same documents as another node sees them; {@link #store} itself if only one node
   * can use the store.
   */
  protected DocumentStore otherNode() {
    return store();
  }

  private DocumentStore storeOf(int writer) {
    return writer % 2 == 0 ? store() : otherNode();
  }

  private static Json.Obj body(long number) {
    return Json.object().put("number", number).build();
  }

  private Document newDocument(String id) {
    return Document.create(kind, id, "", NOON, body(0));
  }

  private interface Writer<T> {
    T write(int number) throws Exception;
  }

  /**
   * Runs the writer on that many threads at once and returns all results, in order of the writers'
   * numbers.
   */
  private static <T> List<T> runTogether(int writers, Writer<T> writer) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<T>> tasks =
          IntStream.range(0, writers).<Callable<T>>mapToObj(i -> () -> writer.write(i)).toList();
      return threads.invokeAll(tasks).stream().map(DocumentConcurrencyContract::result).toList();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static <T> T result(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("of many inserts of the same id, exactly one succeeds")
  void oneInserts() {
    for (int round = 0; round < 20; round++) {
      String id = "a" + round;
      assertThat(
              runTogether(
                  WRITERS, i -> storeOf(i).write(List.of(new Write.Insert(newDocument(id))))))
          .containsOnlyOnce(true);
    }
  }

  @Test
  @DisplayName("of many changes and removals of the same version, exactly one succeeds")
  void oneReplaces() {
    for (int round = 0; round < 20; round++) {
      Document document = newDocument("a" + round);
      store().write(List.of(new Write.Insert(document)));
      List<Boolean> won =
          runTogether(
              WRITERS,
              i ->
                  storeOf(i)
                      .write(
                          List.of(
                              i % 4 == 0
                                  ? new Write.Remove(kind, document.id(), 1)
                                  : new Write.Replace(document.next(NOON, body(i))))));
      assertThat(won).containsOnlyOnce(true);
      Document left = store().find(kind, document.id());
      int winner = won.indexOf(true);
      assertThat(left).isEqualTo(winner % 4 == 0 ? null : document.next(NOON, body(winner)));
    }
  }

  @Test
  @DisplayName("no increment is lost when many threads count in one document")
  void counts() {
    store().write(List.of(new Write.Insert(newDocument("counter"))));
    runTogether(
        WRITERS,
        i -> {
          for (int n = 0; n < 25; n++) {
            boolean counted = false;
            while (!counted) {
              Document now = Objects.requireNonNull(storeOf(i).find(kind, "counter"));
              Document next = now.next(NOON, body(now.version()));
              counted = storeOf(i).write(List.of(new Write.Replace(next)));
            }
          }
          return true;
        });
    assertThat(store().find(kind, "counter"))
        .isNotNull()
        .extracting(Document::version)
        .isEqualTo(1L + WRITERS * 25);
  }

  @Test
  @DisplayName("changing two documents in opposite orders does not deadlock")
  void crosswise() {
    store().write(List.of(new Write.Insert(newDocument("a")), new Write.Insert(newDocument("b"))));
    runTogether(
        WRITERS,
        i -> {
          for (int n = 0; n < 25; n++) {
            Document first = Objects.requireNonNull(storeOf(i).find(kind, i % 2 == 0 ? "a" : "b"));
            Document second = Objects.requireNonNull(storeOf(i).find(kind, i % 2 == 0 ? "b" : "a"));
            storeOf(i)
                .write(
                    List.of(
                        new Write.Replace(first.next(NOON, body(i))),
                        new Write.Replace(second.next(NOON, body(i)))));
          }
          return true;
        });
    Document a = Objects.requireNonNull(store().find(kind, "a"));
    Document b = Objects.requireNonNull(store().find(kind, "b"));
    assertThat(a.version())
        .as("both documents were changed, or neither")
        .isEqualTo(b.version())
        .isGreaterThan(1);
    assertThat(a.body()).isEqualTo(b.body());
  }

  /** The documents of a node that learns of changes only through {@link DocumentStore#changes}. */
  private final class ChangeFollower {
    private final Map<String, @Nullable Document> documents = new HashMap<>();
    private long latest = otherNode().changes(-1).position();

    void follow() {
      Changes changes = otherNode().changes(latest);
      latest = changes.position();
      if (changes.truncated()) {
        documents.clear();
        otherNode()
            .list(new Filter(kind, null, true, Order.OLDEST_FIRST, 0, 1000))
            .documents()
            .forEach(document -> documents.put(document.id(), document));
      }
      for (Ref ref : changes.documents()) {
        if (ref.kind().equals(kind)) {
          documents.put(ref.id(), otherNode().find(kind, ref.id()));
        }
      }
    }
  }

  @Test
  @DisplayName("a reader that follows the changes while others write misses none")
  void followed() {
    var follower = new ChangeFollower();
    runTogether(
        WRITERS + 1,
        i -> {
          for (int n = 0; n < 60; n++) {
            if (i == WRITERS) {
              follower.follow();
            } else {
              change(storeOf(i), new Random(1000L * i + n));
            }
          }
          return true;
        });
    follower.follow();
    follower.documents.values().removeIf(Objects::isNull);
    List<Document> all =
        store().list(new Filter(kind, null, true, Order.OLDEST_FIRST, 0, 1000)).documents();
    assertThat(follower.documents.values()).containsExactlyInAnyOrderElementsOf(all);
    assertThat(all).isNotEmpty();
  }

  /**
   * Inserts, changes or removes one of a few documents, and inserts another one in the same write.
   */
  private void change(DocumentStore store, Random random) {
    String id = "d" + random.nextInt(12);
    Document now = store.find(kind, id);
    Write write =
        now == null
            ? new Write.Insert(newDocument(id))
            : random.nextInt(4) == 0
                ? new Write.Remove(kind, id, now.version())
                : new Write.Replace(now.next(NOON, body(random.nextInt())));
    store.write(List.of(write, new Write.Insert(newDocument("e" + random.nextInt(1_000_000)))));
  }
}
