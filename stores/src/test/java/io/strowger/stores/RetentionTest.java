package io.strowger.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Changes;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.stores.ledger.LedgerLines;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Old records")
class RetentionTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Instant NOW = Instant.parse("2200-01-01T00:00:00Z"); // later than any clock
  private static final Duration RETENTION = Duration.ofDays(30);
  private static final long SECONDS_APART = 20;
  private static final Json.Obj BODY = Json.Obj.EMPTY;
  private static final Posting.Account ACCOUNT = new Posting.Account("account:default", "all");

  @TempDir private Path directory;

  private DatabaseSettings file() {
    return new DatabaseSettings(
        "jdbc:h2:file:" + directory.resolve("store"), null, Credential.NONE);
  }

  private static DatabaseSettings server() {
    return new DatabaseSettings(SERVER.url(), ServerExtension.USER, Credential.NONE);
  }

  @Test
  @DisplayName("are deleted from a file a few at a time, and younger ones stay")
  void file30Days() {
    assertDeletesOldRecords(file());
  }

  @Test
  @DisplayName("are deleted from a server a few at a time, and younger ones stay")
  void server30Days() {
    assertDeletesOldRecords(server());
  }

  private void assertDeletesOldRecords(DatabaseSettings settings) {
    clear(settings);
    int old = Retention.STEP_ROWS + 20;
    try (var stores = open(settings)) {
      for (int i = 0; i < old; i++) {
        stores.generations().save(generation("old" + i, NOW.minus(RETENTION).minusMillis(1 + i)));
      }
      stores.generations().save(generation("young", NOW.minus(RETENTION).plusSeconds(600)));
    }
    var ambient = TestAmbient.at(NOW.toString());
    try (Database database = Database.open(settings, new SystemAmbient());
        var retention =
            new Retention(database, node(database), ambient, RETENTION, Long.MAX_VALUE)) {
      assertThat(retention).isNotNull();
      assertThat(records(database)).isEqualTo(old + 1);
      ambient.awaitSleepers(1);
      for (int i = 0;
          i < 5 && records(database) > 1;
          i++) { // a busy machine may need more than one
        ambient.advance(Retention.SWEEP_INTERVAL);
        ambient.awaitSleepers(1);
      }
      assertThat(records(database)).isEqualTo(1);
    }
    ambient.assertNoThreadsLeft();
    try (var stores = open(settings)) {
      assertThat(stores.generations().find("young")).isNotNull();
      assertThat(stores.generations().find("old0")).isNull();
    }
  }

  @Test
  @DisplayName(
      "are deleted, the oldest first, while they have too many bytes, and ledger lines stay")
  void tooMany() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      assertDeletesExcess(settings);
    }
  }

  private void assertDeletesExcess(DatabaseSettings settings) {
    clear(settings);
    int count = 40;
    int size = 10_000;
    try (var stores = open(settings)) {
      for (int i = 0; i < count; i++) {
        Instant at = NOW.plusSeconds(SECONDS_APART * i); // so that they do not share rows
        String id = "gen-" + at.getEpochSecond() + "-of-" + i;
        var record = new Generation(id, "owner", at, new byte[size], null);
        if (i % 2 == 0) {
          stores.ledger().append(new Posting(List.of(line(id)), List.of(ACCOUNT), record));
        } else {
          stores.generations().save(record);
        }
      }
    }
    var ambient = TestAmbient.at(NOW.toString());
    try (Database database = Database.open(settings, new SystemAmbient());
        var retention =
            new Retention(database, node(database), ambient, RETENTION, size * 10L + size / 2)) {
      assertThat(retention).isNotNull();
      for (int i = 0; i < 5; i++) {
        ambient.awaitSleepers(1);
        ambient.advance(Retention.SWEEP_INTERVAL);
      }
      ambient.awaitSleepers(1);
      assertThat(bytes(database)).isBetween(size * 9L, size * 10L + size / 2);
    }
    ambient.assertNoThreadsLeft();
    try (var stores = open(settings)) {
      for (int i = 0; i < count; i++) {
        String id = "gen-" + NOW.plusSeconds(SECONDS_APART * i).getEpochSecond() + "-of-" + i;
        assertThat(stores.generations().find(id) != null).as(id).isEqualTo(i >= count - 10);
      }
    }
    assertThat(lines(settings)).hasSize(count / 2);
  }

  /** Returns the id of a node of the database. */
  private static String node(Database database) {
    return database.query(
        "find a node",
        handle ->
            handle
                .createQuery("SELECT id FROM ledger_node ORDER BY began_at DESC LIMIT 1")
                .mapTo(String.class)
                .one());
  }

  @Test
  @DisplayName("that cannot be read do not hide others, with or without stored content")
  void damaged() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      assertHidesNothing(settings);
    }
  }

  private void assertHidesNothing(DatabaseSettings settings) {
    clear(settings);
    var plain = generation("gen-7-plain", NOW);
    var withContent =
        new Generation("gen-7-content", "owner", NOW, new byte[] {1}, new byte[100_000]);
    try (var stores = open(settings)) {
      stores.generations().save(plain);
      stores.generations().save(withContent);
    }
    try (Database database = Database.open(settings, new SystemAmbient())) {
      int inserted = // as an earlier version stored it
          database.inTransaction(
              "store two of the same second",
              handle ->
                  handle.execute(
                      "INSERT INTO settled_block (came_second, node, item, came_at, records)"
                          + " SELECT 7, 'earlier', item, came_at, records FROM settled_block"
                          + " WHERE came_second BETWEEN -2147483648 AND -1"));
      assertThat(inserted).isEqualTo(1);
      try (var stores = open(settings)) {
        assertThat(stores.generations().find("gen-7-plain")).isEqualTo(plain);
        assertThat(stores.generations().find("gen-7-content")).isEqualTo(withContent);
        database.inTransaction(
            "remove the new one",
            handle ->
                handle.execute(
                    "DELETE FROM settled_block WHERE came_second BETWEEN -2147483648 AND -1"));
        assertThat(stores.generations().find("gen-7-content")).isEqualTo(withContent);
        database.inTransaction(
            "write as a later version",
            handle ->
                handle.execute(
                    "UPDATE settled_block SET records = ? WHERE node = 'earlier'",
                    new byte[] {99, 1, 2}));
        assertThat(stores.generations().find("gen-7-plain")).isEqualTo(plain);
        assertThatThrownBy(() -> stores.generations().find("gen-7-content"))
            .hasStackTraceContaining("a block of format 99");
      }
    }
  }

  /** Deletes all records, since the tests share one server. */
  private static void clear(DatabaseSettings settings) {
    try (Database database = Database.open(settings, new SystemAmbient())) {
      database.inTransaction(
          "clear",
          handle ->
              handle.execute("DELETE FROM settled_block")
                  + handle.execute("UPDATE ledger_node SET record_bytes = 0"));
    }
  }

  private static long bytes(Database database) {
    return database.query(
        "add up",
        handle ->
            handle
                .createQuery("SELECT SUM(OCTET_LENGTH(records)) FROM settled_block")
                .mapTo(Long.class)
                .one());
  }

  private static List<LedgerLines.Line> lines(DatabaseSettings settings) {
    var lines = new ArrayList<LedgerLines.Line>();
    try (var books = LedgerLines.open(settings, new SystemAmbient())) {
      books.read(lines::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  private static LedgerEntry line(String generation) {
    return new LedgerEntry(
        generation,
        0,
        NOW,
        "acme/large@alpha",
        "",
        CallRecord.Outcome.COMPLETE,
        Usage.NONE,
        Charge.credits(new Usd(7)));
  }

  private JdbcStores open(DatabaseSettings settings) {
    return JdbcStores.open(
        new JdbcStores.Settings(
            settings.url(),
            settings.user(),
            settings.password(),
            directory.resolve(settings.url().contains("h2") ? "node" : "other-node")),
        new JacksonCodec(),
        new SystemAmbient());
  }

  private static Generation generation(String id, Instant at) {
    return new Generation(id, "owner", at, new byte[] {1, 2}, null);
  }

  @Test
  @DisplayName("of the audit log are deleted after 400 days, and no others")
  void audit() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      assertDeletesOldAudit(settings);
    }
  }

  private void assertDeletesOldAudit(DatabaseSettings settings) {
    var old = new AuditEntry("old", "", NOW.minus(Duration.ofDays(400)).minusMillis(1), BODY);
    var young = new AuditEntry("young", "", NOW.minus(Duration.ofDays(400)).plusSeconds(600), BODY);
    try (var stores = open(settings)) {
      stores.documents().write(List.of(new Write.Append(old), new Write.Append(young)));
    }
    var ambient = TestAmbient.at(NOW.toString());
    try (Database database = Database.open(settings, new SystemAmbient());
        var retention =
            new Retention(database, node(database), ambient, RETENTION, Long.MAX_VALUE)) {
      assertThat(retention).isNotNull();
      for (int i = 0; i < 2; i++) { // at the second wait the first sweep is over
        ambient.awaitSleepers(1);
        ambient.advance(Retention.SWEEP_INTERVAL);
      }
      ambient.awaitSleepers(1);
    }
    ambient.assertNoThreadsLeft();
    try (var stores = open(settings)) {
      var all = new AuditStore.Filter("", null, null, 0, 10);
      assertThat(stores.audit().list(all).entries()).containsExactly(young);
    }
  }

  private static long records(Database database) {
    return database.query(
        "count",
        handle ->
            handle.createQuery("SELECT count(records) FROM settled_block").mapTo(Long.class).one());
  }

  @Test
  @DisplayName("of removals are deleted as well, and changes since before them count as truncated")
  void removals() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      try (Database database = Database.open(settings, new SystemAmbient())) {
        assertDeletesRemovals(database);
      }
    }
  }

  private static void assertDeletesRemovals(Database database) {
    var documents = new JdbcDocuments(database, new JacksonCodec());
    long start = documents.changes(-1).position();
    Document document = Document.create("kind", "a", "", NOW, Json.Obj.EMPTY);
    documents.write(List.of(new Write.Insert(document)));
    documents.write(List.of(new Write.Remove("kind", "a", 1)));
    documents.write(List.of(new Write.Insert(document)));
    long end = documents.changes(-1).position();
    assertThat(deleteRemovals(database, Instant.parse("2001-01-01T00:00:00Z")))
        .as("none is old")
        .isZero();
    assertThat(documents.changes(start).truncated()).isFalse();
    assertThat(deleteRemovals(database, NOW)).isEqualTo(1);
    assertThat(documents.changes(start)).isEqualTo(new Changes(end, List.of(), true));
    assertThat(documents.changes(end - 1).truncated())
        .as("the removal was before this position")
        .isFalse();
    assertThat(documents.changes(end - 1).documents()).hasSize(1);
    assertThat(documents.find("kind", "a")).isEqualTo(document);
    assertThat(deleteRemovals(database, NOW)).isZero();
  }

  private static int deleteRemovals(Database database, Instant before) {
    return database.inTransaction(
        "delete removals",
        handle -> JdbcDocuments.deleteRemovals(handle, before, Retention.STEP_ROWS));
  }
}
