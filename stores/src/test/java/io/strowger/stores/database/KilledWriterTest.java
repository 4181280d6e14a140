package io.strowger.stores.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.stores.KillCount;
import io.strowger.stores.documents.JdbcDocuments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@Tag("long")
@DisplayName("Data that was written to a file")
class KilledWriterTest {
  private static final int KILLS = 4;

  @TempDir private Path directory;

  private void assertDocumentsExist(List<String> written) {
    try (Database database =
        Database.open(WriterProcess.settings(directory), new SystemAmbient())) {
      var documents = new JdbcDocuments(database, new JacksonCodec());
      for (String line : written) {
        String id = line.substring("wrote ".length());
        assertThat(documents.find(WriterProcess.KIND, id)).as(id).isNotNull();
      }
      assertThat(documents.changes(0).position()).isGreaterThanOrEqualTo(written.size());
    }
  }

  @Test
  @DisplayName("survives when the process is killed again and again")
  void killed() throws Exception {
    var written = new ArrayList<String>();
    for (int kill = 0; kill < KILLS; kill++) {
      try (var process = WriterProcess.start(directory, "", kill * 100_000)) {
        for (int i = 0; i < 20 + 40 * kill; i++) {
          String line = process.line();
          assertThat(line).startsWith("wrote ");
          written.add(line);
        }
        process.kill().stream().filter(line -> line.matches("wrote n\\d+")).forEach(written::add);
      }
      assertDocumentsExist(written);
    }
    assertThat(written).hasSizeGreaterThan(KILLS * 20).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("by several threads at once survives a kill, and no row stays locked")
  @Timeout(300)
  void threads() throws Exception {
    for (int kill = 0; kill < KillCount.of(40); kill++) {
      var written = new ArrayList<String>();
      try (var process = WriterProcess.startThreads(directory, kill * 100_000)) {
        for (int i = 0; i < 1 + kill; i++) {
          String line = process.line();
          assertThat(line).startsWith("wrote ");
          written.add(line);
        }
        process.kill().stream().filter(line -> line.matches("wrote n\\d+")).forEach(written::add);
      }
      assertRowsExist(written);
    }
  }

  @Test
  @DisplayName("survives when the process is killed while it compacts its file")
  @Timeout(300)
  void compacted() throws Exception {
    int kills = KillCount.of(12);
    int compacted = 0;
    for (int kill = 0; kill < kills; kill++) {
      var written = new ArrayList<String>();
      try (var process = WriterProcess.startCompacting(directory, kill * 100_000)) {
        for (int i = 0; i < 100 + 20 * kill; i++) {
          String line = process.line();
          assertThat(line).matches("wrote n\\d+|compacted");
          written.add(line);
        }
        process.kill().stream().filter(line -> line.matches("wrote n\\d+")).forEach(written::add);
      }
      compacted += written.size();
      written.removeIf("compacted"::equals);
      compacted -= written.size();
      assertRowsExist(written);
    }
    assertThat(compacted).isGreaterThan(2 * (kills - 1));
  }

  private void assertRowsExist(List<String> written) {
    try (Database database =
        Database.open(WriterProcess.settings(directory), new SystemAmbient())) {
      List<String> found =
          database.query(
              "read",
              handle -> handle.createQuery("SELECT id FROM generation").mapTo(String.class).list());
      assertThat(found)
          .containsAll(written.stream().map(line -> line.substring("wrote ".length())).toList());
      // this would wait for ever for a row that a killed writer still locked
      int changed =
          database.inTransaction(
              "change",
              handle ->
                  handle.execute("UPDATE generation SET content = 'x'")
                      + handle.execute("UPDATE document_removal SET kind = 'changed'"));
      assertThat(changed).isGreaterThan(written.size());
      database.inTransaction("clear", handle -> handle.execute("DELETE FROM generation"));
    }
  }

  @Test
  @DisplayName("survives when the disk is full and the writer gets an error")
  void full() throws Exception {
    var written = new ArrayList<String>();
    try (var process = WriterProcess.start(directory, "ulimit -f 2000", 0)) { // a megabyte
      String line = process.line();
      while (line != null && line.startsWith("wrote ")) {
        written.add(line);
        line = process.line();
      }
      assertThat(line).startsWith("unavailable cannot ");
    }
    assertThat(written).isNotEmpty();
    assertDocumentsExist(written);
  }

  @Test
  @DisplayName("needs room on the disk: without any, the file is refused with a message")
  void noRoom() throws Exception {
    try (var process = WriterProcess.start(directory, "ulimit -f 20", 0)) {
      assertThat(process.line())
          .isEqualTo(
              "refused the database "
                  + directory.resolve("store.mv.db")
                  + " cannot be written: make room on its disk and allow writing, or give another"
                  + " place");
    }
  }
}
