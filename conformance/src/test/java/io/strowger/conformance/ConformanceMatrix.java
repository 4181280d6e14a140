package io.strowger.conformance;

import io.strowger.conformance.ContractRow.Section;
import io.strowger.conformance.ContractRow.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The rows of the contract with the tests that prove them; writes the page that shows both. */
final class ConformanceMatrix {
  private final List<Section> sections;
  private final List<Proof> proofs;

  private final Map<String, List<Proof>> byRow = new HashMap<>();

  /**
   * Holds the matrix of this project, which is read once, since reading all tests takes a second.
   */
  private static final class ProjectHolder {
    static final ConformanceMatrix MATRIX = read();

    private static ConformanceMatrix read() {
      try {
        return new ConformanceMatrix(ContractRow.read(), Proof.find(Modules.root()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns the rows and tests of this project, as they are at the first call. */
  static ConformanceMatrix ofThisProject() {
    return ProjectHolder.MATRIX;
  }

  ConformanceMatrix(List<Section> sections, List<Proof> proofs) {
    this.sections = sections;
    this.proofs = proofs;
    for (ContractRow row : rows()) {
      byRow.put(row.id(), proofs.stream().filter(proof -> proof.covers(row)).toList());
    }
  }

  List<ContractRow> rows() {
    return sections.stream().flatMap(section -> section.rows().stream()).toList();
  }

  List<Proof> proofs(ContractRow row) {
    return byRow.getOrDefault(row.id(), List.of());
  }

  /**
   * Returns the contradictions between rows and tests, a sentence for each; empty if there are
   * none.
   */
  List<String> problems() {
    var problems = new ArrayList<String>();
    List<ContractRow> rows = rows();
    var ids = new TreeSet<String>();
    for (ContractRow row : rows) {
      if (!ids.add(row.id())) {
        problems.add("The row " + row.id() + " occurs twice.");
      }
      boolean isProved = !proofs(row).isEmpty();
      if (row.status() == Status.NOT_BUILT) {
        if (isProved) {
          problems.add("The row " + row.id() + " is not built, but has a test.");
        }
      } else if (!isProved) {
        problems.add(
            "The row "
                + row.id()
                + " has no test: add its id to @Proves of a test, or set its status in rows.tsv to"
                + " not built, with the reason.");
      }
    }
    for (Proof proof : proofs) {
      for (String named : proof.rows()) {
        if (ids.stream().noneMatch(id -> Proof.covers(named, id))) {
          problems.add(proof.label() + " names the row " + named + ", which is not in rows.tsv.");
        }
      }
    }
    return problems;
  }

  /**
   * Returns the lines of the page, in Markdown.
   *
   * @param command the command that writes the page
   */
  List<String> page(String command) {
    var lines = new ArrayList<String>();
    lines.add("# Conformance");
    lines.add("");
    lines.add(
        "Every row of the contract and of its fact sheets, with the tests that prove it. Each row"
            + " stands for a table row, a schema member, a worked case or a numbered rule of the"
            + " contract, in a short paraphrase. A test names its rows with `@Proves`, on a method"
            + " or on a class that proves them with all of its tests. The build fails when a row"
            + " has no test, when a test that is named no longer exists, and when this page differs"
            + " from what the tests name.");
    lines.add("");
    lines.add(
        "Do not edit this page. Edit"
            + " `conformance/src/test/resources/io/strowger/conformance/rows.tsv` or the tests, and"
            + " write the page again with:");
    lines.add("");
    lines.add("```");
    lines.add(command);
    lines.add("```");
    lines.add("");
    lines.add(
        "Rows that are *partly* proved or *not built* name what is missing and why. The groups of"
            + " operations that are left out are in"
            + " [decision 57](decisions/0057-what-of-the-contract-stays-unbuilt.md).");
    lines.add("");
    lines.add("| section | rows | proved | partly | not built |");
    lines.add("|---|---:|---:|---:|---:|");
    for (Section section : sections) {
      lines.add(
          countsRow(
              "[%s](#%s)".formatted(section.title(), anchor(section.title())), section.rows()));
    }
    lines.add(countsRow("**all**", rows()));
    Map<String, String> labels = labels();
    for (Section section : sections) {
      lines.add("");
      lines.add("## " + section.title());
      lines.add("");
      lines.add("| row | what it says | proved by |");
      lines.add("|---|---|---|");
      for (ContractRow row : section.rows()) {
        lines.add(
            "| `%s` | %s | %s |"
                .formatted(row.id(), row.words(), proofCell(row, labels).replace("|", "\\|")));
      }
    }
    return lines;
  }

  private static String countsRow(String title, List<ContractRow> rows) {
    return "| %s | %d | %d | %d | %d |"
        .formatted(
            title,
            rows.size(),
            count(rows, row -> row.status() == Status.PROVED),
            count(rows, row -> row.status() == Status.PARTLY),
            count(rows, row -> row.status() == Status.NOT_BUILT));
  }

  private static long count(List<ContractRow> rows, Predicate<ContractRow> condition) {
    return rows.stream().filter(condition).count();
  }

  /**
   * Returns the anchor that Markdown gives a heading: in lower case, without punctuation, with
   * hyphens for spaces.
   */
  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
  }

  private String proofCell(ContractRow row, Map<String, String> labels) {
    String tests =
        proofs(row).stream()
            .map(proof -> "`" + labels.getOrDefault(key(proof), proof.label()) + "`")
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (row.note().isEmpty()) {
      return tests;
    }
    int colon = row.note().indexOf(':');
    String note = "*" + row.note().substring(0, colon) + "*" + row.note().substring(colon);
    return tests.isEmpty() ? note : tests + "; " + note;
  }

  private static String key(Proof proof) {
    return proof.type() + "#" + proof.label();
  }

  /** Returns labels with the package for tests whose class has the simple name of another class. */
  private Map<String, String> labels() {
    var types = new TreeMap<String, TreeSet<String>>();
    for (Proof proof : proofs) {
      types.computeIfAbsent(outer(proof), name -> new TreeSet<>()).add(packageName(proof));
    }
    var labels = new TreeMap<String, String>();
    proofs.stream()
        .sorted(Comparator.comparing(Proof::type))
        .filter(proof -> types.getOrDefault(outer(proof), new TreeSet<>()).size() > 1)
        .forEach(
            proof ->
                labels.put(
                    key(proof),
                    packageName(proof).replace("io.strowger.", "") + "." + proof.label()));
    return labels;
  }

  private static String outer(Proof proof) {
    return proof.label().replaceAll("\\..*", "");
  }

  private static String packageName(Proof proof) {
    return proof.type().substring(0, proof.type().lastIndexOf('.'));
  }
}
