package io.strowger.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One row of the contract or of its fact sheets: a row of a table, a member of a schema, a worked
 * case or a numbered rule.
 *
 * @param id the permanent id, such as {@code routing.draw.LB-1}
 * @param words the content of the row, in a sentence
 * @param note empty if the gateway does all that the row says; else begins with {@link #PARTLY} or
 *     {@link #NOT_BUILT} and says what is missing, or why
 */
record ContractRow(String id, String words, String note) {
  static final String PARTLY = "partly: ";
  static final String NOT_BUILT = "not built: ";

  /** Whether the gateway does all of what the row says, a part of it, or nothing. */
  enum Status {
    PROVED,
    PARTLY,
    NOT_BUILT
  }

  /** The rows of one table, in the table's order. */
  record Section(String id, String title, List<ContractRow> rows) {}

  ContractRow {
    if (!note.isEmpty() && !note.startsWith(PARTLY) && !note.startsWith(NOT_BUILT)) {
      throw new IllegalArgumentException(
          "The note of the row %s must begin with '%s' or '%s', and is: %s"
              .formatted(id, PARTLY, NOT_BUILT, note));
    }
  }

  Status status() {
    if (note.isEmpty()) {
      return Status.PROVED;
    }
    return note.startsWith(PARTLY) ? Status.PARTLY : Status.NOT_BUILT;
  }

  /** Returns all sections with their rows, in the order of {@code rows.tsv}. */
  static List<Section> read() throws IOException {
    try (InputStream in = ContractRow.class.getResourceAsStream("rows.tsv")) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return parse(text.lines().toList());
    }
  }

  /**
   * Parses lines whose fields are separated by tabs. The line of a section has {@code =}, its id
   * and its title; the line of a row has its id within the section, its words and perhaps a note.
   */
  static List<Section> parse(List<String> lines) {
    var sections = new ArrayList<Section>();
    for (String line : lines) {
      List<String> fields = List.of(line.split("\t", -1));
      if (fields.getFirst().equals("=")) {
        sections.add(new Section(fields.get(1), fields.get(2), new ArrayList<>()));
      } else if (!line.isBlank()) {
        Section section = sections.getLast();
        String note = fields.size() > 2 ? fields.get(2) : "";
        String id = section.id() + "." + fields.getFirst();
        section.rows().add(new ContractRow(id, fields.get(1), note));
      }
    }
    return sections;
  }
}
