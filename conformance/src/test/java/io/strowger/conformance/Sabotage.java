package io.strowger.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A small change of the source after which a row of the contract no longer holds.
 *
 * @param row the id of the row
 * @param file the source, relative to the root of the project
 * @param before the text to replace, which occurs exactly once
 * @param after the replacement
 */
record Sabotage(String row, String file, String before, String after) {
  /** Returns the sabotages of {@code sabotages.txt}. */
  static List<Sabotage> read() throws IOException {
    try (InputStream in = Sabotage.class.getResourceAsStream("sabotages.txt")) {
      return parse(new String(Objects.requireNonNull(in).readAllBytes(), UTF_8).lines().toList());
    }
  }

  /**
   * Parses sabotages. Each has a line {@code row} with the id, a line {@code in} with the file,
   * then the removed lines after a minus and the added lines after a plus, and ends with an empty
   * line.
   */
  static List<Sabotage> parse(List<String> lines) {
    var found = new ArrayList<Sabotage>();
    String row = "";
    String file = "";
    var before = new ArrayList<String>();
    var after = new ArrayList<String>();
    for (String line : lines) {
      if (line.startsWith("row ")) {
        row = line.substring(4);
      } else if (line.startsWith("in ")) {
        file = line.substring(3);
      } else if (line.startsWith("-")) {
        before.add(line.substring(1));
      } else if (line.startsWith("+")) {
        after.add(line.substring(1));
      } else if (line.isEmpty() && !before.isEmpty()) {
        found.add(new Sabotage(row, file, String.join("\n", before), String.join("\n", after)));
        before.clear();
        after.clear();
      }
    }
    return found;
  }

  /** Returns how often the text to replace occurs in the source; it should be once. */
  int occurrences() throws IOException {
    return source().split(Pattern.quote(before), -1).length - 1;
  }

  /** Returns the changed source. */
  String changedSource() throws IOException {
    return source().replace(before, after);
  }

  private String source() throws IOException {
    return Files.readString(path());
  }

  Path path() {
    return Modules.root().resolve(file);
  }

  @Override
  public String toString() {
    return row;
  }
}
