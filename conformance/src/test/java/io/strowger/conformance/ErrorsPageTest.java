package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about errors")
class ErrorsPageTest {
  private static List<List<String>> table(String title) throws IOException {
    String page = Files.readString(Modules.root().resolve("docs/errors.md"));
    assertThat(page).contains("\n## " + title + "\n");
    String section = page.split("\n## " + title + "\n")[1].split("\n## ")[0];
    var rows = new ArrayList<List<String>>();
    section
        .lines()
        .filter(line -> line.startsWith("| "))
        .skip(1)
        .forEach(line -> rows.add(List.of(line.substring(2, line.length() - 2).split(" \\| "))));
    return rows;
  }

  private static String fault(ErrorCode code) {
    return switch (code.blame()) {
      case CALLER -> "caller";
      case UPSTREAM -> "provider";
      case ENGINE -> "gateway";
    };
  }

  @Test
  @DisplayName("has a row for each code, with its status, type and fault, and what to do")
  void codes() throws IOException {
    List<List<String>> rows = table("Every code");
    assertThat(rows).allSatisfy(row -> assertThat(row).hasSize(5));
    assertThat(rows.stream().map(row -> row.subList(0, 4)).toList())
        .containsExactlyElementsOf(
            Arrays.stream(ErrorCode.values())
                .map(
                    code ->
                        List.of(
                            "`" + code.name() + "`",
                            String.valueOf(code.status()),
                            "`" + code.type() + "`",
                            fault(code)))
                .toList());
    assertThat(rows).allSatisfy(row -> assertThat(row.get(4)).hasSizeGreaterThan(10));
  }

  @Test
  @DisplayName("says for each status and type when it occurs")
  void statuses() throws IOException {
    List<List<String>> rows = table("When, and what to do");
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(rows)
          .as(code.name())
          .anySatisfy(
              row -> {
                assertThat(row.get(0)).contains(String.valueOf(code.status()));
                assertThat(row.get(1)).contains("`" + code.type() + "`");
              });
    }
    assertThat(rows).allSatisfy(row -> assertThat(row).hasSize(4));
  }
}
