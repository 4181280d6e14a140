package io.strowger.stores.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.ServerExtension;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A database server")
class RefusedServerTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static Database open(String url, String user, String password) {
    var settings = new DatabaseSettings(url, user, new Credential(password));
    return Database.open(settings, new SystemAmbient());
  }

  private static void assertRefused(String url, String user, String password, String sentence) {
    assertFails(StoreRefusedException.class, url, new String[] {user, password}, sentence);
  }

  private static void assertFails(
      Class<? extends Exception> type, String url, String[] userAndPassword, String sentence) {
    assertThatThrownBy(() -> open(url, userAndPassword[0], userAndPassword[1]).close())
        .isInstanceOf(type)
        .hasMessage(sentence)
        .satisfies(
            refusal -> {
              for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
                assertThat(String.valueOf(cause)).doesNotContain("geheim");
              }
            });
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, ServerExtension.USER, "");
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String hostAndDatabase(String database) {
    return "localhost:" + SERVER.port() + "/" + database;
  }

  @Test
  @DisplayName("that cannot be reached is reported as unavailable, not as refused")
  void unreachable() throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    String place = "127.0.0.1:" + free + "/gateway";
    assertFails(
        StoreUnavailableException.class,
        "jdbc:postgresql://" + place + "?password=geheim",
        new String[] {"me", ""},
        "cannot reach the database " + place + ": start it, or correct store.url");
  }

  @Tag("full")
  @Test
  @DisplayName(
      "that accepts a connection and stays silent is reported as unavailable, not as refused")
  void silent() throws IOException {
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String place = "127.0.0.1:" + socket.getLocalPort() + "/gateway";
      assertFails(
          StoreUnavailableException.class,
          "jdbc:postgresql://" + place,
          new String[] {"me", "geheim"},
          "cannot reach the database " + place + ": start it, or correct store.url");
      try (var taken = socket.accept()) {
        taken.setSoTimeout(10_000);
        assertThat(taken.getInputStream().transferTo(OutputStream.nullOutputStream()))
            .as("bytes that were sent before the connection was abandoned")
            .isPositive();
      }
    }
  }

  @Test
  @DisplayName("that does not know the user or the password is refused")
  void wrongPassword() {
    String name = SERVER.freshDatabase();
    String sentence =
        "the database "
            + hostAndDatabase(name)
            + " does not accept this user and password: correct them beside store.url";
    assertRefused(SERVER.url(name), ServerExtension.STRICT, "geheim", sentence);
    assertRefused(SERVER.url(name), "nobody-of-this-name", "geheim", sentence);
  }

  @Test
  @DisplayName("that asks for a password is refused when none is given")
  void noPassword() {
    String name = SERVER.freshDatabase();
    assertRefused(
        SERVER.url(name),
        ServerExtension.STRICT,
        "",
        "the database "
            + hostAndDatabase(name)
            + " rejects the connection: give user and password beside store.url, and the options"
            + " it asks for");
  }

  @Test
  @DisplayName("without the database is refused")
  void noDatabase() {
    assertRefused(
        SERVER.url("nowhere"),
        ServerExtension.USER,
        "",
        "there is no database " + hostAndDatabase("nowhere") + ": create it, or correct store.url");
  }

  @Test
  @DisplayName("on which the user may not create tables is refused")
  void notAllowed() {
    String name = SERVER.freshDatabase();
    assertRefused(
        SERVER.url(name),
        ServerExtension.STRICT,
        ServerExtension.PASSWORD,
        "the user may not make tables in the database "
            + hostAndDatabase(name)
            + ": grant CREATE on its schema");
  }

  @Test
  @DisplayName("with another program's tables is refused, and left as it is")
  void foreign() throws SQLException {
    String url = SERVER.url(SERVER.freshDatabase());
    execute(url, "CREATE TABLE diary (page TEXT)");
    assertRefused(
        url,
        ServerExtension.USER,
        "",
        "the database "
            + url.substring("jdbc:postgresql://".length())
            + " belongs to another program: give the gateway a database of its own");
    execute(url, "DROP TABLE diary");
    execute(url, "DROP SCHEMA public"); // fails unless it is empty
  }

  @Test
  @DisplayName("of a later version is refused")
  void newer() throws SQLException {
    String url = SERVER.url(SERVER.freshDatabase());
    open(url, ServerExtension.USER, "").close();
    execute(url, RefusedFileTest.OF_LATER_VERSION);
    assertRefused(
        url,
        ServerExtension.USER,
        "",
        "the database "
            + url.substring("jdbc:postgresql://".length())
            + " was written by a later version (schema 99, this one knows "
            + Schema.NEWEST
            + "): run that version, or restore an older backup");
  }

  @Test
  @DisplayName("is brought up to date once when several nodes start at the same time")
  void together() throws Exception {
    String url = SERVER.url(SERVER.freshDatabase());
    var ambient = io.strowger.tck.TestAmbient.realTime();
    for (int i = 0; i < 4; i++) {
      ambient.start("node", () -> open(url, ServerExtension.USER, "").close());
    }
    ambient.assertNoThreadsLeft(); // and none of them failed
    open(url, ServerExtension.USER, "").close();
  }
}
