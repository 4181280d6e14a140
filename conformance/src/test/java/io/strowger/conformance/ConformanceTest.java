package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Every row of the contract")
class ConformanceTest {
  private static final String WRITE = "strowger.conformance.write";
  private static final String COMMAND =
      "mvn -o -pl conformance -am test -Dtest=ConformanceTest -D" + WRITE + "=true";

  @TempDir private Path folder;

  @Test
  @DisplayName("has a test, or a reason why it is not built, and tests name only existing rows")
  void complete() {
    ConformanceMatrix matrix = ConformanceMatrix.ofThisProject();
    assertThat(matrix.rows()).hasSizeGreaterThan(1_000);
    assertThat(matrix.problems()).isEmpty();
  }

  @Test
  @DisplayName("is listed in docs/conformance.md with its current tests")
  void written() throws IOException {
    Path page = Modules.root().resolve("docs/conformance.md");
    List<String> lines = ConformanceMatrix.ofThisProject().page(COMMAND);
    if (Boolean.getBoolean(WRITE)) {
      Files.write(page, lines);
      return;
    }
    assertThat(Files.readAllLines(page))
        .as("docs/conformance.md is out of date; write it again with: %s", COMMAND)
        .isEqualTo(lines);
  }

  private Proof proofIn(String body) throws IOException {
    Path file = folder.resolve("SomeTest.java");
    Files.writeString(file, "package a.b;\nclass SomeTest {" + body + "}");
    return Proof.of(List.of(file)).getFirst();
  }

  @Test
  @DisplayName("is found at tests of every kind, also in nested classes")
  void found() throws IOException {
    Proof one = proofIn("@Test @Proves(\"x.1\") void one() {}");
    assertThat(one.label()).isEqualTo("SomeTest.one");
    assertThat(one.rows()).containsExactly("x.1");
    Proof inner =
        proofIn("@Nested class In { @Proves({\"x.1\", \"y.*\"}) @Property void two() {} }");
    assertThat(inner.type()).isEqualTo("a.b.SomeTest$In");
    assertThat(inner.label()).isEqualTo("SomeTest.In.two");
    assertThat(inner.rows()).containsExactly("x.1", "y.*");
    assertThat(proofIn("@Proves(\"x.1\") @Nested class In {}").label()).isEqualTo("SomeTest.In");
    for (Class<?> annotation : List.of(AtEveryPath.class, AtEveryPathAndStreaming.class)) {
      Proof everyPath =
          proofIn("@%s @Proves(\"x.1\") void three() {}".formatted(annotation.getSimpleName()));
      assertThat(everyPath.label()).isEqualTo("SomeTest.three");
    }
  }

  @Test
  @DisplayName("is not proved by a method that is no test or is disabled")
  void refused() {
    assertThatThrownBy(() -> proofIn("@Proves(\"x.1\") void one() {}"))
        .hasMessage("@Proves is on something that is no test: SomeTest.one");
    assertThatThrownBy(() -> proofIn("@Test @Disabled @Proves(\"x.1\") void one() {}"))
        .hasMessage("@Proves is on a disabled test: SomeTest.one");
  }

  @Test
  @DisplayName("is reported if it has no test, and so is a test that names an unknown row")
  void missed() throws IOException {
    List<ContractRow.Section> sections =
        ContractRow.parse(
            List.of("=\tx\tX", "1\tone", "2\ttwo\tpartly: a half", "3\tthree\tnot built: no"));
    assertThat(new ConformanceMatrix(sections, List.of()).problems())
        .satisfiesExactly(
            one -> assertThat(one).startsWith("The row x.1 has no test: "),
            two -> assertThat(two).startsWith("The row x.2 has no test: "));
    Proof all = proofIn("@Test @Proves({\"x.*\", \"x.4\", \"y.*\"}) void one() {}");
    assertThat(new ConformanceMatrix(sections, List.of(all)).problems())
        .containsExactly(
            "The row x.3 is not built, but has a test.",
            "SomeTest.one names the row x.4, which is not in rows.tsv.",
            "SomeTest.one names the row y.*, which is not in rows.tsv.");
    assertThatThrownBy(() -> ContractRow.parse(List.of("=\tx\tX", "1\tone\tperhaps")))
        .hasMessageContaining("must begin with 'partly: ' or 'not built: '");
  }
}
