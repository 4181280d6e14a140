package io.strowger.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that every migration only adds to the tables, so that gateways of an older version that are
 * already running keep working while they are upgraded one after the other. An older gateway that
 * is started afterwards refuses the newer tables; the tests of the stores cover that, and the
 * migration itself.
 */
@DisplayName("A migration of the tables")
class UpgradeTest {
  private static final Path MIGRATIONS =
      ContainerFiles.ROOT.resolve("stores/src/main/resources/io/strowger/stores/migrations");

  private static List<String> statements() throws IOException {
    var statements = new ArrayList<String>();
    try (Stream<Path> files = Files.list(MIGRATIONS)) {
      for (Path file : files.sorted().toList()) {
        String text = Files.readString(file).replaceAll("--[^\n]*", "").replaceAll("\\s+", " ");
        Stream.of(text.split(";"))
            .map(String::strip)
            .filter(one -> !one.isEmpty())
            .forEach(statements::add);
      }
    }
    return statements;
  }

  /** Returns whether a gateway that does not know the change can still read and write. */
  private static boolean isAddition(String statement) {
    return statement.startsWith("CREATE TABLE IF NOT EXISTS ")
        || statement.startsWith("CREATE INDEX IF NOT EXISTS ")
        || statement.startsWith("INSERT INTO ")
        || statement.matches("ALTER TABLE \\w+ ADD COLUMN IF NOT EXISTS .* DEFAULT .*");
  }

  @Test
  @DisplayName(
      "only adds tables, indexes and columns with a default, so that older gateways keep working")
  void additions() throws Exception {
    assertThat(statements()).hasSizeGreaterThan(20).allMatch(UpgradeTest::isAddition);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TABLE generation",
        "ALTER TABLE document DROP COLUMN hidden",
        "ALTER TABLE document ADD COLUMN IF NOT EXISTS owner VARCHAR(36) NOT NULL",
        "ALTER TABLE document RENAME COLUMN body TO text",
        "CREATE UNIQUE INDEX one ON document (id)",
        "UPDATE document SET hidden = TRUE"
      })
  @DisplayName("is no addition when it removes, renames or restricts something:")
  void others(String statement) {
    assertThat(isAddition(statement)).isFalse();
  }
}
