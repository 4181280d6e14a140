package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Filter;
import io.strowger.spi.store.DocumentStore.Order;
import io.strowger.spi.store.DocumentStore.Page;
import io.strowger.spi.store.DocumentStore.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests how a {@link DocumentStore} lists. The author of a store extends this class. */
public abstract class DocumentListingContract {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Json.Obj BODY = Json.object().put("x", 1).build();

  private final String kind = "kind-" + UUID.randomUUID();

  /** Returns an open store. */
  protected abstract DocumentStore store();

  /**
   * Stores four documents and one of another kind, then replaces one of the four by a hidden
   * version.
   */
  @BeforeEach
  void given() {
    insert("d", "one", 1);
    insert("b", "one", 2);
    insert("c", "two", 2);
    insert("a", "one", 3);
    Document second = Objects.requireNonNull(store().find(kind, "b"));
    var hidden = second.next(NOON.plusSeconds(9), BODY).withHidden(true);
    assertThat(store().write(List.of(new Write.Replace(hidden)))).isTrue();
    Document other = Document.create(kind + "-other", "a", "one", NOON, BODY);
    assertThat(store().write(List.of(new Write.Insert(other)))).isTrue();
  }

  private void insert(String id, String group, long seconds) {
    Document document = Document.create(kind, id, group, NOON.plusSeconds(seconds), BODY);
    assertThat(store().write(List.of(new Write.Insert(document)))).isTrue();
  }

  private Page list(@Nullable String group, boolean hidden, Order order, int offset, int limit) {
    return store().list(new Filter(kind, group, hidden, order, offset, limit));
  }

  private List<String> ids(@Nullable String group, boolean hidden, Order order) {
    Page page = list(group, hidden, order, 0, 1000);
    assertThat(page.total()).isEqualTo(page.documents().size());
    return page.documents().stream().map(Document::id).toList();
  }

  @Test
  @DisplayName("lists in the requested order; documents with the same time are ordered by id")
  void orders() {
    assertThat(ids(null, true, Order.OLDEST_FIRST)).containsExactly("d", "b", "c", "a");
    assertThat(ids(null, true, Order.NEWEST_FIRST)).containsExactly("a", "b", "c", "d");
    assertThat(ids(null, true, Order.LAST_UPDATED_FIRST)).containsExactly("b", "a", "c", "d");
  }

  @Test
  @DisplayName("orders ids by their characters, whatever the locale of a database server")
  void ordersByCharacters() {
    String apart = kind + "-apart";
    for (String id : List.of("b", "B", "a-", "a1", "A", "\u00e9", "a", "_")) {
      Document document = Document.create(apart, id, "", NOON, BODY);
      assertThat(store().write(List.of(new Write.Insert(document)))).isTrue();
    }
    Page page = store().list(new Filter(apart, null, false, Order.NEWEST_FIRST, 0, 10));
    assertThat(page.documents().stream().map(Document::id))
        .containsExactly("A", "B", "_", "a", "a-", "a1", "b", "\u00e9");
  }

  @Test
  @DisplayName("lists hidden documents only when asked to")
  void hidden() {
    assertThat(ids(null, false, Order.OLDEST_FIRST)).containsExactly("d", "c", "a");
    assertThat(ids("one", false, Order.OLDEST_FIRST)).containsExactly("d", "a");
  }

  @Test
  @DisplayName("lists one group only when asked to")
  void groups() {
    assertThat(ids("one", true, Order.OLDEST_FIRST)).containsExactly("d", "b", "a");
    assertThat(ids("two", true, Order.OLDEST_FIRST)).containsExactly("c");
    assertThat(ids("three", true, Order.OLDEST_FIRST)).isEmpty();
    assertThat(ids("", true, Order.OLDEST_FIRST)).isEmpty();
  }

  @Test
  @DisplayName("lists one page, and says how many documents match in all")
  void parts() {
    Page middle = list(null, true, Order.OLDEST_FIRST, 1, 2);
    assertThat(middle.documents().stream().map(Document::id)).containsExactly("b", "c");
    assertThat(middle.total()).isEqualTo(4);
    assertThat(list(null, true, Order.OLDEST_FIRST, 3, 2).documents()).hasSize(1);
    Page pastEnd = list(null, false, Order.OLDEST_FIRST, 50, 2);
    assertThat(pastEnd.documents()).isEmpty();
    assertThat(pastEnd.total()).isEqualTo(3);
    assertThat(list(null, false, Order.OLDEST_FIRST, Integer.MAX_VALUE, 1).total()).isEqualTo(3);
  }

  @Test
  @DisplayName("lists complete documents, equal to those that find() returns")
  void whole() {
    for (Document listed : list(null, true, Order.OLDEST_FIRST, 0, 10).documents()) {
      assertThat(listed).isEqualTo(store().find(kind, listed.id()));
    }
  }

  @Test
  @DisplayName("lists every document once, page by page")
  void paged() {
    String many = kind + "-many";
    List<Write> writes =
        IntStream.range(0, 250)
            .mapToObj(i -> Document.create(many, "n" + i, "", NOON.plusMillis(i % 10), BODY))
            .<Write>map(Write.Insert::new)
            .toList();
    assertThat(store().write(writes)).isTrue();
    var seen = new ArrayList<String>();
    for (int offset = 0; offset < 250; offset += 30) {
      Page page = store().list(new Filter(many, null, false, Order.LAST_UPDATED_FIRST, offset, 30));
      assertThat(page.total()).isEqualTo(250);
      page.documents().forEach(document -> seen.add(document.id()));
    }
    assertThat(seen).hasSize(250).doesNotHaveDuplicates();
  }
}
