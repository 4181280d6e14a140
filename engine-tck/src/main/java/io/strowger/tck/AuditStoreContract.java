package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.AuditStore.Filter;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.Stores;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link AuditStore}. The author of a store extends this class and returns
 * stores from {@link #stores}. All tests may share them, since each test uses a workspace of its
 * own.
 */
public abstract class AuditStoreContract {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.123456789Z");

  private final String workspace = UUID.randomUUID().toString();

  /** Returns open stores. */
  protected abstract Stores stores();

  /**
   * Returns the same stores as another node sees them, or as they are after a restart; {@link
   * #stores} itself if the stores keep everything in memory.
   */
  protected Stores reopened() {
    return stores();
  }

  private AuditEntry entry(int second) {
    Json.Obj body = Json.object().put("n", second).put("odd", "a\0b \u4e2d \ud83d\ude00").build();
    return new AuditEntry(UUID.randomUUID().toString(), workspace, NOON.plusSeconds(second), body);
  }

  private List<AuditEntry> append(int count) {
    var entries = new ArrayList<AuditEntry>();
    for (int i = 0; i < count; i++) {
      AuditEntry entry = entry(i);
      assertThat(stores().documents().write(List.of(new Write.Append(entry)))).isTrue();
      entries.addFirst(entry);
    }
    return entries;
  }

  private AuditStore.Page list(Instant after, Instant before, int offset, int limit) {
    return stores().audit().list(new Filter(workspace, after, before, offset, limit));
  }

  @Test
  @DisplayName("lists the written entries, the latest first, also after a restart")
  void lists() {
    List<AuditEntry> written = append(3);
    var all = new Filter(workspace, null, null, 0, 100);
    assertThat(stores().audit().list(all)).isEqualTo(new AuditStore.Page(written, 3));
    assertThat(reopened().audit().list(all)).isEqualTo(new AuditStore.Page(written, 3));
    assertThat(stores().audit().list(new Filter(null, null, null, 0, 3)).entries())
        .containsAll(written);
    assertThat(stores().audit().list(new Filter("nobody", null, null, 0, 3)).total()).isZero();
  }

  @Test
  @DisplayName("lists pages, and only entries strictly between two times")
  void parts() {
    List<AuditEntry> written = append(5);
    Instant first = NOON.truncatedTo(ChronoUnit.MICROS);
    assertThat(list(first, first.plusSeconds(4), 0, 100))
        .isEqualTo(new AuditStore.Page(written.subList(1, 4), 3));
    assertThat(list(first, first.plusSeconds(4), 1, 1))
        .isEqualTo(new AuditStore.Page(written.subList(2, 3), 3));
    assertThat(list(first.minusSeconds(1), first, 0, 100).total()).isZero();
    assertThat(list(first, first.plusSeconds(9), 100, 1).entries()).isEmpty();
  }

  @Test
  @DisplayName("writes an entry if and only if the other writes of the call are made")
  void together() {
    String id = UUID.randomUUID().toString();
    Document document = Document.create("audit-test", id, workspace, NOON, Json.Obj.EMPTY);
    AuditEntry entry = entry(1);
    List<Write> both = List.of(new Write.Append(entry), new Write.Insert(document));
    assertThat(stores().documents().write(both)).isTrue();
    assertThat(stores().documents().find("audit-test", id)).isEqualTo(document);
    List<Write> again = List.of(new Write.Append(entry(2)), new Write.Insert(document));
    assertThat(stores().documents().write(again)).as("the document exists already").isFalse();
    assertThat(stores().audit().list(new Filter(workspace, null, null, 0, 9)))
        .isEqualTo(new AuditStore.Page(List.of(entry), 1));
  }

  @Test
  @DisplayName("lists entries of the account, which belong to no workspace")
  void account() {
    var entry = new AuditEntry(UUID.randomUUID().toString(), "", NOON, Json.Obj.EMPTY);
    assertThat(stores().documents().write(List.of(new Write.Append(entry)))).isTrue();
    assertThat(stores().audit().list(new Filter("", null, null, 0, 1)).entries())
        .containsExactly(entry);
  }
}
