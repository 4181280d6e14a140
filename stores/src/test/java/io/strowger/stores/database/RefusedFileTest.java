package io.strowger.stores.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.StoreRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A database file")
class RefusedFileTest {
  static final String OF_LATER_VERSION =
      """
      INSERT INTO strowger_schema
      SELECT 99, '99', "description", "type", "script", "checksum", "installed_by",
             "installed_on", "execution_time", TRUE
      FROM strowger_schema WHERE "version" = '1'
      """;

  @TempDir private Path directory;
  private Path file;
  private String url;

  @BeforeEach
  void setPath() {
    file = directory.resolve("store.mv.db");
    url = "jdbc:h2:file:" + directory.resolve("store");
  }

  private static Database open(String url, String password) {
    var settings = new DatabaseSettings(url, "me", new Credential(password));
    return Database.open(settings, new SystemAmbient());
  }

  private void createFile() {
    try (Database database = open(url, "s3cret")) {
      for (int i = 0; i < 300; i++) {
        int number = i;
        database.inTransaction(
            "write",
            handle ->
                handle.execute(
                    "INSERT INTO generation VALUES (?, 'o', CURRENT_TIMESTAMP, ?, NULL)",
                    "g" + number,
                    "x".repeat(500)));
      }
    }
  }

  /** Asserts that the file is refused twice, and left unchanged with no file beside it. */
  private void assertRefused(String password, String sentence) throws IOException {
    byte[] before = Files.readAllBytes(file);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> open(url, password).close())
          .isInstanceOf(StoreRefusedException.class)
          .hasMessage(sentence)
          .hasMessageNotContaining("s3cret");
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(directory.toFile().list()).containsExactly("store.mv.db");
  }

  private void assertOpens() {
    try (Database database = open(url, "s3cret")) {
      long records =
          database.query(
              "count",
              handle ->
                  handle.createQuery("SELECT count(*) FROM generation").mapTo(Long.class).one());
      assertThat(records).isEqualTo(300);
    }
  }

  @Test
  @DisplayName("is created if there is none, together with its directories")
  void makes() {
    directory = directory.resolve("a/b");
    setPath();
    createFile();
    assertOpens();
    assertThat(directory.toFile().list()).containsExactly("store.mv.db");
  }

  @Test
  @DisplayName("may be named with its extension")
  void withItsEnding() {
    createFile();
    url += ".mv.db";
    assertOpens();
  }

  @Test
  @DisplayName("of another program is refused")
  void foreign() throws IOException {
    for (String content : new String[] {"SQLite format 3\0 ...", "x", "\0".repeat(20_000)}) {
      Files.writeString(file, content);
      assertRefused("", "the database " + file + " belongs to another program: give another file");
    }
  }

  @Test
  @DisplayName("with another program's tables is refused")
  void foreignTables() throws Exception {
    try (Connection connection = DriverManager.getConnection(url, "me", "s3cret")) {
      connection.createStatement().execute("CREATE TABLE diary (page VARCHAR(100))");
    }
    assertRefused(
        "s3cret",
        "the database "
            + file
            + " belongs to another program: give the gateway a database of its own");
    Files.delete(file);
    try (Connection connection =
        DriverManager.getConnection(url + ";DATABASE_TO_LOWER=TRUE", "me", "s3cret")) {
      connection.createStatement().execute("CREATE TABLE diary (page VARCHAR(100))");
    }
    assertRefused(
        "s3cret",
        "the database "
            + file
            + " belongs to another program: give the gateway a database of its own");
  }

  @Test
  @DisplayName("of a later version is refused")
  void newer() throws Exception {
    createFile();
    try (Database database = open(url, "s3cret")) {
      database.inTransaction("pretend", handle -> handle.execute(OF_LATER_VERSION));
    }
    assertRefused(
        "s3cret",
        "the database "
            + file
            + " was written by a later version (schema 99, this one knows "
            + Schema.NEWEST
            + "): run that version, or restore an older backup");
  }

  @Test
  @DisplayName("that was created with another password is refused, and opened with the right one")
  void wrongPassword() throws IOException {
    createFile();
    assertRefused(
        "guess",
        "the database "
            + file
            + " was created with another user or password: set store.user and"
            + " store.password to those, or give another file");
    assertOpens();
  }

  @Test
  @DisplayName("that is damaged is refused")
  void damaged() throws IOException {
    createFile();
    byte[] bytes = Files.readAllBytes(file);
    var random = new Random(1);
    for (int i = 0; i < bytes.length / 20; i++) {
      bytes[16 + random.nextInt(bytes.length - 16)] ^= (byte) (1 + random.nextInt(255));
    }
    Files.write(file, bytes);
    assertRefused(
        "s3cret",
        "the database "
            + file
            + " is damaged: restore a backup, or move the file away to start with an empty store");
  }

  @Test
  @DisplayName("that was cut short is refused, and not taken for an older state of itself")
  void cut() throws Exception {
    createFile();
    try (Connection connection =
        DriverManager.getConnection(url + ";DATABASE_TO_LOWER=TRUE", "me", "s3cret")) {
      connection.createStatement().execute("SHUTDOWN COMPACT"); // so that every byte is needed
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {bytes.length / 2, bytes.length - 5000, bytes.length - 1}) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertRefused(
          "s3cret",
          "the database "
              + file
              + " is cut short: restore a backup, or move the file away to start with an empty"
              + " store");
    }
    Files.write(file, bytes);
    assertOpens();
  }

  @Test
  @DisplayName("that is in use is refused")
  void inUse() {
    createFile();
    try (Connection other =
        DriverManager.getConnection(url + ";DATABASE_TO_LOWER=TRUE", "me", "s3cret")) {
      assertThat(other.isValid(1)).isTrue();
      try (WriterProcess process = WriterProcess.startRefused(directory)) {
        assertThat(process.line())
            .isEqualTo(
                "refused the database "
                    + file
                    + " is in use by another process: stop that, or give each a file of its own");
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    assertOpens();
  }

  @Test
  @DisplayName("cannot have the name of a directory, or be in a file")
  void wrongPlaces() throws IOException {
    Files.createDirectory(file);
    assertThatThrownBy(() -> open(url, ""))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessage("the database " + file + " is not a file: give another name");
    Path plain = Files.writeString(directory.resolve("plain"), "x");
    for (String below : List.of("/store", "/a/store", "/a/b/store")) {
      assertThatThrownBy(() -> open("jdbc:h2:file:" + plain + below, ""))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessage(plain + " is not a directory: give the store a place in one");
    }
    assertThat(plain).hasContent("x");
  }

  @Test
  @DisplayName("cannot be in a directory where nothing can be created")
  void noPermission() throws IOException {
    assumeThat(Path.of("/proc/self")).exists();
    assertThatThrownBy(() -> open("jdbc:h2:file:/proc/strowger/store", ""))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessage("cannot make the directory /proc/strowger: make it or give another place");
  }

  @Test
  @DisplayName("that is read-only is refused")
  void readOnly() throws IOException {
    createFile();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assumeThat(Files.isWritable(file)).as("this user may do anything").isFalse();
    assertRefused(
        "s3cret",
        "the database " + file + " cannot be read and written: allow it or give another file");
  }

  @Test
  @DisplayName("has a URL without options, and no other kind of URL is accepted")
  void urls() {
    assertThatThrownBy(() -> open(url + ";AUTO_SERVER=TRUE", ""))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessage(
            "the store's URL takes no options: give jdbc:h2:file:PATH and nothing behind it");
    for (String other : Set.of("jdbc:h2:mem:x", "jdbc:mysql://h/d?password=geheim", "")) {
      assertThatThrownBy(() -> open(other, ""))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessage("the store's URL must begin with jdbc:h2:file: or jdbc:postgresql://");
    }
    assertThat(directory).isEmptyDirectory();
  }
}
