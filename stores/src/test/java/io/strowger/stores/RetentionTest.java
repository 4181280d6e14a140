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
  private static final Duration KEPT = Duration.ofDays(30);
  private static final long APART = 20;
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
  @DisplayName("go from a file a few at a time, and those that are not old stay")
  void file30Days() {
    forgetsRecords(file());
  }

  @Test
  @DisplayName("go from a server a few at a time, and those that are not old stay")
  void server30Days() {
    forgetsRecords(server());
  }

  private void forgetsRecords(DatabaseSettings settings) {
    clear(settings);
    int old = Retention.STEP_ROWS + 20;
    try (var stores = open(settings)) {
      for (int i = 0; i < old; i++) {
        stores.generations().save(generation("old" + i, NOW.minus(KEPT).minusMillis(1 + i)));
      }
      stores.generations().save(generation("young", NOW.minus(KEPT).plusSeconds(600)));
    }
    var ambient = TestAmbient.at(NOW.toString());
    try (Database database = Database.open(settings, new SystemAmbient());
        var retention = new Retention(database, node(database), ambient, KEPT, Long.MAX_VALUE)) {
      assertThat(retention).isNotNull();
      assertThat(records(database)).isEqualTo(old + 1);
      ambient.awaitSleepers(1);
      for (int i = 0; i < 5 && records(database) > 1; i++) { // a busy machine may need another
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
  @DisplayName("go while there are too many bytes of them, the oldest first, and lines stay")
  void tooMany() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      forgetsWhatIsTooMuch(settings);
    }
  }

  private void forgetsWhatIsTooMuch(DatabaseSettings settings) {
    clear(settings);
    int many = 40;
    int size = 10_000;
    try (var stores = open(settings)) {
      for (int i = 0; i < many; i++) {
        Instant at = NOW.plusSeconds(APART * i); // or they would share rows
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
            new Retention(database, node(database), ambient, KEPT, size * 10L + size / 2)) {
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
      for (int i = 0; i < many; i++) {
        String id = "gen-" + NOW.plusSeconds(APART * i).getEpochSecond() + "-of-" + i;
        assertThat(stores.generations().find(id) != null).as(id).isEqualTo(i >= many - 10);
      }
    }
    assertThat(lines(settings)).hasSize(many / 2);
  }

  /** A node that the database knows. */
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
  @DisplayName("and one that cannot be read hide no other, whether what was said is kept or not")
  void damaged() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      hidesNothing(settings);
    }
  }

  private void hidesNothing(DatabaseSettings settings) {
    clear(settings);
    var plain = generation("gen-7-plain", NOW);
    var said = new Generation("gen-7-said", "owner", NOW, new byte[] {1}, new byte[100_000]);
    try (var stores = open(settings)) {
      stores.generations().save(plain);
      stores.generations().save(said);
    }
    try (Database database = Database.open(settings, new SystemAmbient())) {
      int before = // as an earlier version kept it
          database.inTransaction(
              "keep two in a second",
              handle ->
                  handle.execute(
                      "INSERT INTO settled_block (came_second, node, item, came_at, records)"
                          + " SELECT 7, 'earlier', item, came_at, records FROM settled_block"
                          + " WHERE came_second BETWEEN -2147483648 AND -1"));
      assertThat(before).isEqualTo(1);
      try (var stores = open(settings)) {
        assertThat(stores.generations().find("gen-7-plain")).isEqualTo(plain);
        assertThat(stores.generations().find("gen-7-said")).isEqualTo(said);
        database.inTransaction(
            "take the new one away",
            handle ->
                handle.execute(
                    "DELETE FROM settled_block WHERE came_second BETWEEN -2147483648 AND -1"));
        assertThat(stores.generations().find("gen-7-said")).isEqualTo(said);
        database.inTransaction(
            "write as a later version",
            handle ->
                handle.execute(
                    "UPDATE settled_block SET records = ? WHERE node = 'earlier'",
                    new byte[] {99, 1, 2}));
        assertThat(stores.generations().find("gen-7-plain")).isEqualTo(plain);
        assertThatThrownBy(() -> stores.generations().find("gen-7-said"))
            .hasStackTraceContaining("a block of format 99");
      }
    }
  }

  /** The server is the same for all tests. */
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
  @DisplayName("of the audit log go after 400 days, and no others")
  void audit() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      forgetsAudit(settings);
    }
  }

  private void forgetsAudit(DatabaseSettings settings) {
    var old = new AuditEntry("old", "", NOW.minus(Duration.ofDays(400)).minusMillis(1), BODY);
    var young = new AuditEntry("young", "", NOW.minus(Duration.ofDays(400)).plusSeconds(600), BODY);
    try (var stores = open(settings)) {
      stores.documents().write(List.of(new Write.Append(old), new Write.Append(young)));
    }
    var ambient = TestAmbient.at(NOW.toString());
    try (Database database = Database.open(settings, new SystemAmbient());
        var retention = new Retention(database, node(database), ambient, KEPT, Long.MAX_VALUE)) {
      assertThat(retention).isNotNull();
      for (int i = 0; i < 2; i++) { // the second time the first sweep is over
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
  @DisplayName("of removals go as well, and who did not hear of them is told to look at everything")
  void removals() {
    for (DatabaseSettings settings : List.of(file(), server())) {
      try (Database database = Database.open(settings, new SystemAmbient())) {
        forgetsRemovals(database);
      }
    }
  }

  private static void forgetsRemovals(Database database) {
    var documents = new JdbcDocuments(database, new JacksonCodec());
    long start = documents.changes(-1).position();
    Document document = Document.create("kind", "a", "", NOW, Json.Obj.EMPTY);
    documents.write(List.of(new Write.Insert(document)));
    documents.write(List.of(new Write.Remove("kind", "a", 1)));
    documents.write(List.of(new Write.Insert(document)));
    long end = documents.changes(-1).position();
    assertThat(forget(database, Instant.parse("2001-01-01T00:00:00Z"))).as("none is old").isZero();
    assertThat(documents.changes(start).truncated()).isFalse();
    assertThat(forget(database, NOW)).isEqualTo(1);
    assertThat(documents.changes(start)).isEqualTo(new Changes(end, List.of(), true));
    assertThat(documents.changes(end - 1).truncated()).as("knew of the removal").isFalse();
    assertThat(documents.changes(end - 1).documents()).hasSize(1);
    assertThat(documents.find("kind", "a")).isEqualTo(document);
    assertThat(forget(database, NOW)).isZero();
  }

  private static int forget(Database database, Instant before) {
    return database.inTransaction(
        "forget", handle -> JdbcDocuments.deleteRemovals(handle, before, Retention.STEP_ROWS));
  }
}
