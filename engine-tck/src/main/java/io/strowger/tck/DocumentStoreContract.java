package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Changes;
import io.strowger.spi.store.DocumentStore.Order;
import io.strowger.spi.store.DocumentStore.Ref;
import io.strowger.spi.store.DocumentStore.Write;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link DocumentStore}. The author of a store extends this class, {@link
 * DocumentListingContract} and {@link DocumentConcurrencyContract}, and returns a store from {@link
 * #store}. All tests may share it, since each test uses kinds of its own.
 *
 * <pre>{@code
 * class OurDocumentsTest extends DocumentStoreContract {
 *   @Override protected DocumentStore store() { return stores.documents(); }
 * }
 * }</pre>
 */
public abstract class DocumentStoreContract {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.123456Z");

  private final String kind = "kind-" + UUID.randomUUID();

  /** Returns an open store. */
  protected abstract DocumentStore store();

  private Document newDocument(String id) {
    return Document.create(kind, id, "here", NOON, body("first"));
  }

  private static Json.Obj body(String text) {
    return Json.object().put("text", text).build();
  }

  private boolean insert(Document document) {
    return store().write(List.of(new Write.Insert(document)));
  }

  private boolean replace(Document document) {
    return store().write(List.of(new Write.Replace(document)));
  }

  private boolean remove(Document document) {
    return store()
        .write(List.of(new Write.Remove(document.kind(), document.id(), document.version())));
  }

  @Test
  @DisplayName("finds what was written, member by member")
  void finds() {
    Document document = newDocument("a").withHidden(true);
    assertThat(insert(document)).isTrue();
    assertThat(store().find(kind, "a")).isEqualTo(document);
  }

  @Test
  @DisplayName("finds nothing under another kind, another id or an id that no document can have")
  void findsNothing() {
    insert(newDocument("a"));
    assertThat(store().find(kind, "b")).isNull();
    assertThat(store().find(kind + "x", "a")).isNull();
    assertThat(store().find(kind, "A")).isNull();
    assertThat(store().find(kind, "a ")).isNull();
    assertThat(store().find(kind, "")).isNull();
    assertThat(store().find(kind, "a\0")).isNull();
    assertThat(store().find(kind, "a\ud800")).isNull();
    assertThat(store().find(kind, "a".repeat(10_000))).isNull();
  }

  @Test
  @DisplayName("inserts a document only with version 1, and only if its id is free")
  void insertsOnce() {
    assertThat(insert(newDocument("a"))).isTrue();
    assertThat(insert(newDocument("a"))).isFalse();
    assertThat(insert(newDocument("b").next(NOON, body("second")))).isFalse();
    assertThat(store().find(kind, "b")).isNull();
  }

  @Test
  @DisplayName("replaces a document only with its next version")
  void replacesInOrder() {
    Document first = newDocument("a");
    Document second = first.next(NOON.plusSeconds(1), body("second")).withHidden(true);
    assertThat(replace(second)).as("a document that does not exist").isFalse();
    insert(first);
    assertThat(replace(second)).isTrue();
    assertThat(replace(second)).as("the same version again").isFalse();
    assertThat(replace(second.next(NOON, body("x")).next(NOON, body("y"))))
        .as("a version that skips one")
        .isFalse();
    assertThat(store().find(kind, "a")).isEqualTo(second);
  }

  @Test
  @DisplayName("removes a document only if the version matches; its id is then free again")
  void removes() {
    Document first = newDocument("a");
    Document second = first.next(NOON, body("second"));
    insert(first);
    replace(second);
    assertThat(remove(first)).isFalse();
    assertThat(remove(second)).isTrue();
    assertThat(remove(second)).isFalse();
    assertThat(store().find(kind, "a")).isNull();
    assertThat(insert(newDocument("a"))).isTrue();
    assertThat(store().find(kind, "a")).isEqualTo(first);
  }

  @Test
  @DisplayName("makes all writes of one call, or none")
  void allOrNone() {
    insert(newDocument("a"));
    long before = store().changes(-1).position();
    List<Write> writes =
        List.of(
            new Write.Insert(newDocument("b")),
            new Write.Replace(newDocument("a").next(NOON, body("second"))),
            new Write.Remove(kind, "c", 1));
    assertThat(store().write(writes)).isFalse();
    assertThat(store().find(kind, "b")).isNull();
    assertThat(store().find(kind, "a")).isEqualTo(newDocument("a"));
    assertThat(store().changes(before).documents()).noneMatch(ref -> ref.kind().equals(kind));

    insert(newDocument("c"));
    assertThat(store().write(writes)).isTrue();
    assertThat(store().find(kind, "b")).isNotNull();
    assertThat(store().find(kind, "c")).isNull();
    assertThat(store().write(List.of())).isTrue();
  }

  @Test
  @DisplayName("a write sees the earlier writes of the same call")
  void inOneCall() {
    Document first = newDocument("a");
    Document second = first.next(NOON, body("second"));
    assertThat(store().write(List.of(new Write.Insert(first), new Write.Replace(second)))).isTrue();
    assertThat(store().find(kind, "a")).isEqualTo(second);
    assertThat(store().write(List.of(new Write.Remove(kind, "a", 2), new Write.Insert(first))))
        .isTrue();
    assertThat(store().find(kind, "a")).isEqualTo(first);
    assertThat(
            store()
                .write(
                    List.of(
                        new Write.Insert(newDocument("b")), new Write.Insert(newDocument("b")))))
        .isFalse();
    assertThat(store().find(kind, "b")).isNull();
  }

  @Test
  @DisplayName("keeps every character of a body and the spelling of its numbers")
  void characters() {
    Json.Obj odd =
        Json.object()
            .put("nul", "a\0b")
            .put("half a pair", "\ud800 and \udc00")
            .put("all sorts", "é \u4e2d\u6587 \ud83d\ude00 \u2028 \"quoted\" \\ \u007f")
            .put("", Json.array(Json.NULL, Json.TRUE, Json.of(new BigDecimal("1.10"))))
            .build();
    Document document =
        Document.create(kind, "\u4e2d \ud83d\ude00 é'\"%_\\", "gr\u00fc\u00df", NOON, odd);
    assertThat(insert(document)).isTrue();
    assertThat(store().find(kind, document.id())).isEqualTo(document);
  }

  @Test
  @DisplayName("keeps a body of a megabyte")
  void large() {
    Document document = Document.create(kind, "a", "", NOON, body("\u4e2dx".repeat(300_000)));
    assertThat(insert(document)).isTrue();
    assertThat(store().find(kind, "a")).isEqualTo(document);
  }

  @Test
  @DisplayName("keeps ids and groups of 200 characters")
  void longNames() {
    String longest = "\u4e2d".repeat(200);
    Document document = Document.create(kind, longest, longest, NOON, body("x"));
    assertThat(insert(document)).isTrue();
    assertThat(store().find(kind, longest)).isEqualTo(document);
  }

  @Test
  @DisplayName("keeps times to the microsecond, also before 1970 and after 2038")
  void moments() {
    for (String moment :
        List.of(
            "1969-12-31T23:59:59.999999Z",
            "1970-01-01T00:00:00Z",
            "2026-03-29T01:30:00.000001Z",
            "2026-11-21T12:00:00.123456789Z",
            "9999-12-31T23:59:59.999999Z")) {
      Document document = Document.create(kind, moment, "", Instant.parse(moment), body("x"));
      assertThat(insert(document)).isTrue();
      assertThat(store().find(kind, moment)).isEqualTo(document);
    }
  }

  @Test
  @DisplayName(
      "names the documents written or removed since a position, and none changed before it")
  void changes() {
    insert(newDocument("old"));
    Changes start = store().changes(-1);
    assertThat(start.documents()).isEmpty();
    assertThat(start.truncated()).isFalse();
    insert(newDocument("a"));
    insert(newDocument("b"));
    replace(newDocument("a").next(NOON, body("second")));
    remove(newDocument("b"));
    remove(newDocument("old"));
    Changes after = store().changes(start.position());
    assertThat(after.truncated()).isFalse();
    assertThat(after.documents())
        .filteredOn(ref -> ref.kind().equals(kind))
        .contains(new Ref(kind, "a"), new Ref(kind, "b"), new Ref(kind, "old"));
    Changes end = store().changes(after.position());
    assertThat(end.documents()).noneMatch(ref -> ref.kind().equals(kind));
    assertThat(end.position()).isGreaterThanOrEqualTo(after.position());
  }

  @Test
  @DisplayName("for a position ahead of its own, says that everything may have changed")
  void aheadOfTheStore() {
    Changes now = store().changes(-1);
    Changes answer = store().changes(now.position() + 1_000_000);
    assertThat(answer.truncated()).isTrue();
    assertThat(answer.position()).isLessThan(now.position() + 1_000_000);
  }

  @Test
  @DisplayName(
      "however many documents changed, names them all or says that everything may have changed")
  void manyChanges() {
    long before = store().changes(-1).position();
    for (int hundred = 0; hundred < 110; hundred++) {
      int from = hundred * 100;
      assertThat(
              store()
                  .write(
                      IntStream.range(from, from + 100)
                          .mapToObj(i -> (Write) new Write.Insert(newDocument("m" + i)))
                          .toList()))
          .isTrue();
    }
    Changes after = store().changes(before);
    assertThat(after.truncated() || after.documents().size() >= 11_000).isTrue();
    DocumentStore.Filter filter =
        new DocumentStore.Filter(kind, null, false, Order.NEWEST_FIRST, 10_990, 1000);
    DocumentStore.Page page = store().list(filter); // throws when it takes longer than two seconds
    assertThat(page.total()).isEqualTo(11_000);
    assertThat(page.documents()).hasSize(10);
  }
}
