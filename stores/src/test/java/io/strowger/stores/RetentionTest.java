package io.strowger.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Changes;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.tck.TestAmbient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
  private static final Json.Obj BODY = Json.Obj.EMPTY;

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
    int old = Retention.STEP + 20;
    try (var stores = open(settings)) {
      for (int i = 0; i < old; i++) {
        stores.generations().save(generation("old" + i, NOW.minus(KEPT).minusMillis(1 + i)));
      }
      stores.generations().save(generation("young", NOW.minus(KEPT).plusSeconds(600)));
    }
    var ambient = TestAmbient.at(NOW.toString());
    try (Database database = Database.open(settings, new SystemAmbient());
        var retention = new Retention(database, ambient, KEPT)) {
      assertThat(retention).isNotNull();
      assertThat(records(database)).isEqualTo(old + 1);
      ambient.awaitSleepers(1);
      for (int i = 0; i < 5 && records(database) > 1; i++) { // a busy machine may need another
        ambient.advance(Retention.EVERY);
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

  private JdbcStores open(DatabaseSettings settings) {
    return JdbcStores.open(
        new JdbcStores.Settings(
            settings.url(), settings.user(), settings.password(), directory.resolve("node")),
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
        var retention = new Retention(database, ambient, KEPT)) {
      assertThat(retention).isNotNull();
      for (int i = 0; i < 2; i++) { // the second time the first sweep is over
        ambient.awaitSleepers(1);
        ambient.advance(Retention.EVERY);
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
    return database.ask(
        "count",
        handle -> handle.createQuery("SELECT count(*) FROM generation").mapTo(Long.class).one());
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
    long start = documents.changes(-1).latest();
    Document document = Document.fresh("kind", "a", "", NOW, Json.Obj.EMPTY);
    documents.write(List.of(new Write.Insert(document)));
    documents.write(List.of(new Write.Remove("kind", "a", 1)));
    documents.write(List.of(new Write.Insert(document)));
    long end = documents.changes(-1).latest();
    assertThat(forget(database, Instant.parse("2001-01-01T00:00:00Z"))).as("none is old").isZero();
    assertThat(documents.changes(start).all()).isFalse();
    assertThat(forget(database, NOW)).isEqualTo(1);
    assertThat(documents.changes(start)).isEqualTo(new Changes(end, List.of(), true));
    assertThat(documents.changes(end - 1).all()).as("knew of the removal").isFalse();
    assertThat(documents.changes(end - 1).changed()).hasSize(1);
    assertThat(documents.find("kind", "a")).isEqualTo(document);
    assertThat(forget(database, NOW)).isZero();
  }

  private static int forget(Database database, Instant before) {
    return database.inTransaction(
        "forget", handle -> JdbcDocuments.forgetRemovals(handle, before, Retention.STEP));
  }
}
