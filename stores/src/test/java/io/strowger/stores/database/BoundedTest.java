package io.strowger.stores.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.DocumentStore.Filter;
import io.strowger.spi.store.DocumentStore.Order;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.ServerExtension;
import io.strowger.stores.documents.JdbcDocuments;
import io.strowger.stores.ledger.FreezingProxy;
import io.strowger.tck.TestAmbient;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("measures the threads and the time of the whole process")
@DisplayName("A caller that waits for a database")
class BoundedTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Credential PASSWORD = new Credential("geheim");

  @TempDir private Path directory;

  private static Database server(int port, TestAmbient ambient) {
    String url = SERVER.url().replace(":" + SERVER.port() + "/", ":" + port + "/");
    return Database.open(new DatabaseSettings(url, ServerExtension.USER, PASSWORD), ambient);
  }

  private Database file(TestAmbient ambient) {
    String url = "jdbc:h2:file:" + directory.resolve("store");
    return Database.open(new DatabaseSettings(url, null, PASSWORD), ambient);
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  @DisplayName("waits at most two seconds")
  void twoSeconds() {
    assertThat(Database.MAX_WAIT).isLessThan(Duration.ofSeconds(2));
  }

  @Tag("full")
  @Test
  @DisplayName("that is frozen gets an error meanwhile, and is served when it is back")
  void frozen() throws Exception {
    var ambient = TestAmbient.realTime();
    try (var proxy = FreezingProxy.start(SERVER.port());
        Database database = server(proxy.port(), ambient)) {
      var documents = new JdbcDocuments(database, new JacksonCodec());
      assertThat(documents.find("kind", "a")).isNull();
      proxy.freeze(true);
      for (int i = 0; i < 3; i++) {
        assertUnavailable(() -> documents.find("kind", "a"));
      }
      assertUnavailable(() -> documents.changes(-1));
      var filter = new Filter("kind", null, false, Order.OLDEST_FIRST, 0, 10);
      assertUnavailable(() -> documents.list(filter));
      proxy.freeze(false);
      boolean isBack = false;
      for (int i = 0; i < 20 && !isBack; i++) {
        isBack = answers(documents);
      }
      assertThat(isBack).isTrue();
    }
    ambient.assertNoThreadsLeft();
  }

  private static boolean answers(JdbcDocuments documents) {
    try {
      return documents.find("kind", "a") == null;
    } catch (StoreUnavailableException notYet) {
      return false;
    }
  }

  @Tag("full")
  @Test
  @DisplayName("in which another transaction holds the rows gets an error meanwhile")
  void locked() {
    var ambient = TestAmbient.realTime();
    try (Database database = server(SERVER.port(), ambient);
        Database other = server(SERVER.port(), ambient)) {
      assertUnavailable(() -> changeLockedRow(database, other));
    }
    try (Database database = file(ambient)) {
      assertUnavailable(() -> changeLockedRow(database, database));
    }
    ambient.assertNoThreadsLeft();
  }

  /** Changes a row that is locked by another transaction, which waits for this one to end. */
  private static void changeLockedRow(Database first, Database second) {
    String sql = "UPDATE document_clock SET forgotten = forgotten";
    first.inTransaction(
        "hold",
        handle -> {
          handle.execute(sql);
          return second.inTransaction("wait", inner -> inner.execute(sql));
        });
  }

  @Test
  @DisplayName("that is closed gets an error at once, and none of its threads is left")
  void closed() {
    var ambient = TestAmbient.realTime();
    for (Database database : new Database[] {server(SERVER.port(), ambient), file(ambient)}) {
      var documents = new JdbcDocuments(database, new JacksonCodec());
      assertThat(documents.find("kind", "a")).isNull();
      database.close();
      database.close();
      assertThatThrownBy(() -> documents.find("kind", "a"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("cannot find a kind: the store is closed");
    }
    ambient.assertNoThreadsLeft();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("strowger-store"))
        .allSatisfy(BoundedTest::assertEnds);
  }

  private static void assertEnds(Thread thread) throws InterruptedException {
    assertThat(thread.join(Duration.ofSeconds(5))).as(thread.getName()).isTrue();
  }

  @Test
  @DisplayName("gets an error when it is interrupted, and the file stays open for others")
  void interrupted() {
    var ambient = TestAmbient.realTime();
    try (Database database = file(ambient)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> database.query("ask", handle -> handle.execute("SELECT 1")))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(Thread.interrupted()).isTrue();
      var documents = new JdbcDocuments(database, new JacksonCodec());
      assertThat(documents.find("kind", "a")).isNull();
    }
  }

  @Test
  @DisplayName("never sees a password")
  void secrets() {
    var settings = new DatabaseSettings("jdbc:postgresql://h/d?password=geheim", "me", PASSWORD);
    assertThat(settings.toString()).doesNotContain("geheim");
    assertThat(settings.summary()).isEqualTo("the server h/d");
    assertThat(new BackendDataSource(settings.backend()).toString()).doesNotContain("geheim");
    assertThat(settings.backend().toString()).isEqualTo("h/d");
  }
}
