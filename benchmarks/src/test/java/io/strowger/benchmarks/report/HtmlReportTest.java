package io.strowger.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Uses recorded figures of {@code ./gateway bench report}. */
@DisplayName("The HTML report")
class HtmlReportTest {
  private static final Pattern NUMBER = Pattern.compile("-?\\d[\\d,]*(?:\\.\\d+)?");

  private ReportData recording;
  private String page;

  private static Path recorded() throws Exception {
    return Path.of(Objects.requireNonNull(HtmlReportTest.class.getResource("report.json")).toURI());
  }

  @BeforeEach
  void render() throws Exception {
    recording = ReportData.read(recorded());
    page = HtmlReport.of(recording);
  }

  private static Document parsed(String page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  private static List<Element> elements(Document page, String name) {
    NodeList found = page.getElementsByTagName(name);
    var elements = new ArrayList<Element>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  /** Returns the visible texts of a page. */
  private static List<String> texts(Document page) {
    var texts = new ArrayList<String>();
    collect(page.getDocumentElement(), texts);
    return texts;
  }

  private static void collect(Node node, List<String> texts) {
    if (node.getNodeType() == Node.TEXT_NODE && !node.getNodeValue().isBlank()) {
      texts.add(node.getNodeValue().strip());
    }
    if (!node.getNodeName().equals("style")) {
      for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
        collect(child, texts);
      }
    }
  }

  /** Returns all numbers that the page may show, calculated independently of the report's code. */
  private static List<Double> permittedNumbers(ReportData recording) {
    var known = new ArrayList<Double>();
    double rows = 0;
    double unsteady = 0;
    double limits = 0;
    double missed = 0;
    for (ReportSection section : recording.sections()) {
      for (ReportRow row : section.rows()) {
        List<Double> runs = new ArrayList<>(row.runs());
        rows++;
        double drift = Math.abs(runs.getLast() - runs.getFirst());
        Collections.sort(runs);
        double median = median(runs);
        unsteady += drift > median / 5 ? 1 : 0;
        known.add(median);
        known.add(runs.getFirst());
        known.add(runs.getLast());
        known.add((double) runs.size());
        if (row.limit() != null) {
          limits++;
          missed += row.limit().figure() > row.limit().most() ? 1 : 0;
          known.add(row.limit().figure());
          known.add(row.limit().most());
        }
        known.add(median == 0 ? 0 : 50 * (runs.getLast() - runs.getFirst()) / median);
        for (ReportRow other : section.rows()) {
          if (other.name().equals(row.comparedWith())) {
            List<Double> others = new ArrayList<>(other.runs());
            Collections.sort(others);
            known.add(median / median(others));
          }
        }
      }
    }
    known.add(rows);
    known.add(unsteady);
    known.add(limits);
    known.add(missed);
    return known;
  }

  private static double median(List<Double> sorted) {
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }

  /** Returns the texts of the recording, which may have numbers in them, the longest first. */
  private static List<String> recordedTexts(ReportData recording) {
    var words = new ArrayList<String>();
    recording.facts().forEach(fact -> words.addAll(List.of(fact.name(), fact.value())));
    for (ReportSection section : recording.sections()) {
      words.addAll(List.of(section.title(), section.question(), section.method()));
      for (ReportRow row : section.rows()) {
        words.add(row.name());
        if (row.limit() != null) {
          words.add(row.limit().subject());
        }
      }
    }
    words.sort(Comparator.comparingInt(String::length).reversed());
    return words;
  }

  /** Returns the numbers of a page that do not come from the recording. */
  private static List<String> unknownNumbers(String page, ReportData recording) throws Exception {
    List<Double> known = permittedNumbers(recording);
    List<String> words = recordedTexts(recording);
    var unknown = new ArrayList<String>();
    for (String text : texts(parsed(page))) {
      String figures = text;
      for (String word : words) {
        figures = figures.replace(word, "");
      }
      Matcher numbers = NUMBER.matcher(figures);
      while (numbers.find()) {
        String number = numbers.group();
        if (known.stream().noneMatch(value -> isWritten(number, value))) {
          unknown.add(number + " in " + text);
        }
      }
    }
    return unknown;
  }

  /** Returns whether a value, rounded to the number of decimals, is this number. */
  private static boolean isWritten(String number, double value) {
    int point = number.indexOf('.');
    int decimals = point < 0 ? 0 : number.length() - point - 1;
    double shown = Double.parseDouble(number.replace(",", ""));
    return Math.abs(shown - value) <= 0.500001 * Math.pow(10, -decimals);
  }

  @Test
  @DisplayName("shows no number that was not measured")
  void numbers() throws Exception {
    assertThat(NUMBER.matcher(String.join(" ", texts(parsed(page)))).results().count())
        .isGreaterThan(200);
    assertThat(unknownNumbers(page, recording)).isEmpty();
  }

  @Test
  @DisplayName("is checked by a test that notices a wrong number")
  void wrongNumber() throws Exception {
    ReportSection section = recording.sections().getFirst();
    String correct =
        ">" + HtmlReport.number(section.rows().getFirst().median(), section.unit()) + "<";
    assertThat(page).contains(correct);
    String wrong = page.replace(correct, ">987,654,321 " + section.unit() + "<");
    assertThat(unknownNumbers(wrong, recording)).isNotEmpty();
  }

  @Test
  @DisplayName("shows every row with each of its runs, its median, and its comparison")
  void rows() throws Exception {
    Document parsed = parsed(page);
    int rows = recording.sections().stream().mapToInt(section -> section.rows().size()).sum();
    int runs =
        recording.sections().stream()
            .flatMap(section -> section.rows().stream())
            .mapToInt(row -> row.runs().size())
            .sum();
    assertThat(elements(parsed, "svg")).hasSameSizeAs(recording.sections());
    assertThat(elements(parsed, "rect")).hasSize(rows);
    assertThat(elements(parsed, "circle")).hasSize(runs);
    assertThat(elements(parsed, "tr")).hasSize(rows + recording.sections().size());
    List<String> texts = texts(parsed);
    assertThat(texts)
        .containsAll(recording.sections().stream().map(ReportSection::question).toList())
        .containsAll(recording.facts().stream().map(ReportData.Fact::value).toList());
    for (ReportSection section : recording.sections()) {
      for (ReportRow row : section.rows()) {
        assertThat(texts).contains(row.name());
        if (row.comparedWith() != null) {
          assertThat(texts).anyMatch(text -> text.endsWith(" times " + row.comparedWith()));
        }
      }
    }
  }

  @Test
  @DisplayName(
      "answers the questions of operators and embedders, each with a floor or a peer to compare")
  void complete() {
    assertThat(recording.sections())
        .extracting(ReportSection::id)
        .contains(
            "deciding",
            "validating",
            "streaming",
            "overhead",
            "ledger",
            "start",
            "heap",
            "classes",
            "open",
            "allocation");
    assertThat(recording.sections())
        .allSatisfy(
            section ->
                assertThat(section.rows())
                    .anyMatch(row -> row.role() == ReportRow.Role.OURS)
                    .anyMatch(row -> row.role() != ReportRow.Role.OURS)
                    .allMatch(row -> row.runs().size() > 1));
    assertThat(recording.facts())
        .extracting(ReportData.Fact::name)
        .contains("processors", "JDK", "begun", "runs");
  }

  @Test
  @DisplayName("is self-contained: it needs no script, image or style from elsewhere")
  void selfContained() throws Exception {
    Document parsed = parsed(page);
    for (String name : List.of("script", "link", "img", "iframe", "object", "image", "use")) {
      assertThat(elements(parsed, name)).as(name).isEmpty();
    }
    assertThat(page).doesNotContain("url(", "@import", "https://");
    assertThat(page).doesNotContainPattern("\\s(src|on\\w+)=");
    assertThat(page.replace("xmlns=\"http://www.w3.org/1999/xhtml\"", ""))
        .doesNotContain("http://");
    assertThat(elements(parsed, "a"))
        .isNotEmpty()
        .allSatisfy(
            link ->
                assertThat(page).contains("id=\"" + link.getAttribute("href").substring(1) + "\""));
    assertThat(page).contains("prefers-color-scheme: dark");
  }

  @Test
  @DisplayName("is well formed whatever characters names contain")
  void escaped() throws Exception {
    var row = new ReportRow("a < b & \"c\" > 'd'", ReportRow.Role.OURS, null, List.of(1.0, 3.0));
    var withMarkup =
        new ReportData(
            List.of(new ReportData.Fact("<JDK>", "1 & 2")),
            List.of(new ReportSection("odd", "<odd>", "what?", "us", "so & so", List.of(row))));
    List<String> texts = texts(parsed(HtmlReport.of(withMarkup)));
    assertThat(texts).contains(row.name(), "<odd>", "so & so", "<JDK>", "1 & 2", "2.00 us");
  }

  @Test
  @DisplayName("can be made again from stored figures")
  void madeAgain(@TempDir Path folder) throws Exception {
    var output = new ByteArrayOutputStream();
    String[] arguments = {"--from", recorded().toString(), "--out", folder.toString()};
    int code = ReportBench.run(arguments, new PrintStream(output, true, StandardCharsets.UTF_8));
    assertThat(code).isZero();
    assertThat(output.toString(StandardCharsets.UTF_8)).contains("report.html");
    assertThat(folder.resolve("report.html")).content().isEqualTo(page);
    assertThat(ReportData.read(recorded()).toJson()).isEqualTo(recording.toJson());
  }

  @Test
  @DisplayName("is not made from a file with other contents")
  void otherFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("other.json"), "{\"trials\":[]}");
    assertThatThrownBy(() -> ReportData.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other.json holds no results of bench report");
  }

  @Test
  @DisplayName("writes numbers with three significant digits")
  void digits() {
    assertThat(List.of(1234.5, 123.4, 99.96, 12.34, 9.996, 1.234, 0.99951, 0.1234, 0.0))
        .extracting(HtmlReport::number)
        .containsExactly("1,235", "123", "100", "12.3", "10.0", "1.23", "1.00", "0.123", "0.00");
  }

  @Test
  @DisplayName("marks and counts the rows that drifted while they were measured")
  void unsteady() {
    var steady = new ReportRow("steady", ReportRow.Role.OURS, null, List.of(10.0, 14.0, 12.0));
    var drifting = new ReportRow("drifting", ReportRow.Role.PEER, null, List.of(10.0, 9.0, 7.9));
    assertThat(steady.isSteady()).isTrue();
    assertThat(drifting.isSteady()).isFalse();
    var data =
        new ReportData(
            List.of(),
            List.of(new ReportSection("s", "S", "?", "ns", "", List.of(steady, drifting))));
    assertThat(HtmlReport.of(data))
        .contains("1 of 2 rows are not steady")
        .containsOnlyOnce(" %, not steady");
    var quiet =
        new ReportData(
            List.of(), List.of(new ReportSection("s", "S", "?", "ns", "", List.of(steady))));
    assertThat(HtmlReport.of(quiet)).doesNotContain("not steady");
  }

  @Test
  @DisplayName("says which limits are held and which are missed, and counts the missed ones")
  void limits() throws Exception {
    ReportRow held = new ReportRow("held", ReportRow.Role.OURS, null, List.of(10.0, 12.0, 11.0));
    ReportRow missed =
        new ReportRow("missed", ReportRow.Role.OURS, null, List.of(24.0, 26.0, 25.0));
    var free = new ReportRow("free", ReportRow.Role.PEER, null, List.of(5.0));
    var limited =
        new ReportSection(
            "s",
            "S",
            "?",
            "MB",
            "",
            List.of(
                held.withMedianLimit("MB", 11),
                missed.withLimit(new ReportLimit("times a < b", 1.364, 1.35)),
                free));
    var unlimited = new ReportSection("t", "T", "?", "MB", "", List.of(free));
    var data = new ReportData(List.of(), List.of(limited, unlimited));
    List<String> texts = texts(parsed(HtmlReport.of(data)));
    assertThat(texts)
        .contains("11.0 MB, at most 11.0: held")
        .contains("1.36 times a < b, at most 1.35: missed")
        .contains("1 of 2 limits are missed; the tables say which.")
        .containsOnlyOnce("limit");
    assertThat(HtmlReport.of(new ReportData(List.of(), List.of(unlimited))))
        .doesNotContain("limit")
        .doesNotContain("missed");
    for (ReportRow row : limited.rows()) {
      assertThat(ReportRow.read(row.toJson())).isEqualTo(row);
    }
  }

  @Test
  @DisplayName("shows the median and the spread of the runs of a row")
  void statistics() {
    var row = new ReportRow("four", ReportRow.Role.PEER, null, List.of(4.0, 1.0, 2.0, 3.0));
    assertThat(row.median()).isEqualTo(2.5);
    assertThat(row.spread()).isEqualTo(60);
    assertThat(row.isSteady()).isFalse();
    assertThatThrownBy(() -> new ReportRow("none", ReportRow.Role.PEER, null, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new ReportSection(
                    "s",
                    "S",
                    "?",
                    "ns",
                    "",
                    List.of(new ReportRow("r", ReportRow.Role.OURS, "x", List.of(1.0)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("r: there is no row x");
  }
}
