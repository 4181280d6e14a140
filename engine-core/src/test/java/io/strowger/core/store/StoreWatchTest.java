package io.strowger.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.memory.MemoryDocuments;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cached copies of stored documents")
class StoreWatchTest {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");

  /** A store that counts its lookups, can be down and can be slow. */
  private static final class FaultyStore implements DocumentStore {
    final MemoryDocuments documents = new MemoryDocuments();
    int lookups;
    boolean down;
    boolean tooManyChanges; // to be listed
    Consumer<String> beforeAnswering = id -> {};

    private void failIfDown() {
      if (down) {
        throw new StoreUnavailableException("down", null);
      }
    }

    @Override
    public boolean write(List<Write> writes) {
      failIfDown();
      return documents.write(writes);
    }

    @Override
    public @Nullable Document find(String kind, String id) {
      failIfDown();
      lookups++;
      Document found = documents.find(kind, id);
      beforeAnswering.accept(id);
      return found;
    }

    @Override
    public Page list(Filter filter) {
      failIfDown();
      return documents.list(filter);
    }

    @Override
    public Changes changes(long after) {
      failIfDown();
      Changes changes = documents.changes(after);
      return tooManyChanges ? new Changes(changes.position(), List.of(), true) : changes;
    }
  }

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final FaultyStore store = new FaultyStore();
  private final StoreWatch watch = new StoreWatch(store, ambient);
  private final DocumentCache<Long> copies =
      watch.newCache("colour", document -> document.body().longValue("value", -1), 10);

  @AfterEach
  void noThreads() {
    watch.close();
    ambient.assertNoThreadsLeft();
  }

  private void write(String id, long value) {
    Json.Obj body = Json.object().put("value", value).build();
    Document old = store.documents.find("colour", id);
    store.write(
        List.of(
            old == null
                ? new DocumentStore.Write.Insert(Document.create("colour", id, "", AT, body))
                : new DocumentStore.Write.Replace(old.next(AT, body))));
  }

  private void poll() {
    ambient.awaitSleepers(1);
    ambient.advance(StoreWatch.POLL_INTERVAL);
    ambient.awaitSleepers(1);
  }

  @Test
  @DisplayName("are updated at the next poll if the store is down right after a write")
  void awayAfterWriting() {
    var listenerCalls = new ArrayList<String>();
    var watched = new StoreWatch(store, ambient);
    watched.addListener(
        new DocumentChangeListener() {
          @Override
          public Set<String> kinds() {
            return Set.of("colour");
          }

          @Override
          public void invalidate(DocumentStore.Ref changed) {
            store.down = listenerCalls.isEmpty(); // only at the first call
            listenerCalls.add("invalidate " + changed.id());
            store.find("colour", changed.id());
          }

          @Override
          public void dropAll() {}
        });
    DocumentCache<Long> cache = watched.newCache("colour", document -> document.version(), 10);
    assertThat(cache.find("red")).isNull();
    poll(); // the first poll drops all
    assertThat(cache.find("red")).isNull();
    var red = Document.create("colour", "red", "", AT, Json.Obj.EMPTY);
    assertThat(watched.write(List.of(new DocumentStore.Write.Insert(red)))).isTrue();
    store.down = false;
    assertThat(cache.find("red")).as("the write dropped the copy").isEqualTo(1);
    assertThat(listenerCalls).containsExactly("invalidate red");
    poll();
    assertThat(listenerCalls).containsExactly("invalidate red", "invalidate red");
    watched.close();
  }

  @Test
  @DisplayName("are updated although a listener that is called before them fails at each call")
  void failingListener() {
    var watched = new StoreWatch(store, ambient);
    watched.addListener(
        new DocumentChangeListener() {
          @Override
          public Set<String> kinds() {
            return Set.of("colour");
          }

          @Override
          public void invalidate(DocumentStore.Ref changed) {
            throw new IllegalStateException("invalidate");
          }

          @Override
          public void dropAll() {
            throw new IllegalStateException("dropAll");
          }
        });
    DocumentCache<Long> cache = watched.newCache("colour", document -> document.version(), 10);
    assertThat(cache.find("red")).isNull();
    write("red", 1); // by another node
    poll(); // the first poll drops all
    assertThat(cache.find("red")).isEqualTo(1);
    write("red", 2);
    poll();
    assertThat(cache.find("red")).isEqualTo(2);
    Document next =
        Objects.requireNonNull(store.documents.find("colour", "red")).next(AT, Json.Obj.EMPTY);
    assertThat(watched.write(List.of(new DocumentStore.Write.Replace(next)))).isTrue();
    assertThat(cache.find("red")).isEqualTo(3);
    watched.close();
  }

  @Test
  @DisplayName("are read from the store once when several threads ask at the same time")
  void together() throws Exception {
    var second = new AtomicReference<@Nullable Long>();
    store.documents.write(
        List.of(
            new DocumentStore.Write.Insert(
                Document.create("colour", "red", "", AT, Json.object().put("value", 7).build()))));
    var joining = new AtomicReference<@Nullable Thread>();
    store.beforeAnswering =
        id -> {
          Thread other = ambient.start("second", () -> second.set(copies.find("red")));
          joining.set(other);
          while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
        };
    assertThat(copies.find("red")).isEqualTo(7);
    Objects.requireNonNull(joining.get()).join();
    assertThat(second.get()).isEqualTo(7);
    assertThat(store.lookups).isEqualTo(1);
  }

  @Test
  @DisplayName("are read from the store once, even if the document does not exist")
  void once() {
    write("red", 1);
    assertThat(copies.find("red")).isEqualTo(1);
    assertThat(copies.find("red")).isEqualTo(1);
    assertThat(copies.find("blue")).isNull();
    assertThat(copies.find("blue")).isNull();
    assertThat(store.lookups).isEqualTo(2);
  }

  @Test
  @DisplayName("are updated at the next poll after another node wrote or removed documents")
  void follow() {
    write("red", 1);
    copies.find("red");
    poll(); // the first poll drops everything, since what changed before it is unknown
    copies.find("red");
    copies.find("blue");
    write("red", 2);
    write("blue", 3);
    assertThat(copies.find("red")).as("not seen yet").isEqualTo(1);
    poll();
    assertThat(copies.find("red")).isEqualTo(2);
    assertThat(copies.find("blue")).isEqualTo(3);
    store.write(List.of(new DocumentStore.Write.Remove("colour", "red", 2)));
    poll();
    assertThat(copies.find("red")).isNull();
    int before = store.lookups;
    poll();
    assertThat(copies.find("blue")).isEqualTo(3);
    assertThat(store.lookups).as("what did not change is not read again").isEqualTo(before);
  }

  @Test
  @DisplayName("are all dropped when the store cannot say what changed")
  void everything() {
    write("red", 1);
    copies.find("red");
    poll();
    copies.find("red");
    store.tooManyChanges = true;
    int before = store.lookups;
    poll();
    copies.find("red");
    assertThat(store.lookups).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("are still found while the store is down, and updated when it is back")
  void down() {
    write("red", 1);
    copies.find("red");
    poll();
    copies.find("red");
    write("red", 2);
    store.down = true;
    poll();
    assertThat(copies.find("red")).isEqualTo(1);
    assertThatThrownBy(() -> copies.find("blue")).isInstanceOf(StoreUnavailableException.class);
    store.down = false;
    poll();
    assertThat(copies.find("red")).isEqualTo(2);
  }

  @Test
  @DisplayName("never keep a value that was read before a change and arrives after it")
  void race() {
    write("red", 1);
    store.beforeAnswering =
        id -> {
          store.beforeAnswering = again -> {};
          write(id, 2);
          copies.invalidate(id);
        };
    assertThat(copies.find("red")).as("read before the change").isEqualTo(1);
    assertThat(copies.find("red")).isEqualTo(2);
  }

  @Test
  @DisplayName("use no thread before the first one is made, and none after close()")
  void threads() {
    ambient.assertNoThreadsLeft();
    watch.close();
    assertThat(copies.find("red")).isNull();
    ambient.assertNoThreadsLeft();
  }
}
