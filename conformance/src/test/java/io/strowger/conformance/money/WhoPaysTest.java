package io.strowger.conformance.money;

import static io.strowger.conformance.money.ChatBytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.money.ScriptedTransport.Step;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The table of who pays in docs/errors.md")
class WhoPaysTest {
  private static final Path PAGE = Path.of("..", "docs", "errors.md");
  private static final String TITLE = "## How an answer ends, and who pays";
  private static final Pattern ERROR = Pattern.compile("\"code\":(\\d{3})");

  /** What the table promises: what the caller reads, and what the caller pays. */
  private record Promise(String told, String pays) {}

  private static Map<String, Promise> table() throws IOException {
    String page = Files.readString(PAGE);
    String section = page.substring(page.indexOf(TITLE) + TITLE.length());
    var rows = new LinkedHashMap<String, Promise>();
    for (String line : section.substring(0, section.indexOf("\n## ")).split("\n")) {
      if (line.startsWith("| ") && !line.startsWith("| how ")) {
        String[] cells = line.substring(2, line.length() - 2).split(" \\| ");
        rows.put(cells[0], new Promise(cells[1], cells[2]));
      }
    }
    return rows;
  }

  @Test
  @DisplayName("has a test for each row, and a row for each test")
  void complete() throws IOException {
    assertThat(table().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Ending.values()).map(Ending::row).toList());
  }

  static Stream<Arguments> rows() {
    var rows = new ArrayList<Arguments>();
    try (var scene = new Scene()) {
      for (Ending ending : Ending.values()) {
        for (int form = 0; form <= ending.further(scene).size(); form++) {
          rows.add(Arguments.of(ending.row(), ending, form));
        }
      }
    }
    return rows.stream();
  }

  @Proves("resources.insurance.rule")
  @ParameterizedTest(name = "{0} ({2})")
  @MethodSource("rows")
  @DisplayName("is true:")
  void row(String row, Ending ending, int form) throws IOException {
    Promise promise = Objects.requireNonNull(table().get(row), row);
    try (var scene = new Scene()) {
      List<Step> steps = form == 0 ? ending.steps(scene) : ending.further(scene).get(form - 1);
      scene.upstream.streams(steps.toArray(Step[]::new));
      scene.plugged = ending.isPlugged();
      Scene.Heard heard = scene.ask("/chat/completions", true, ending.pauses());
      CallRecord record = scene.record();
      assertThat(ending.isGone() ? "nothing" : told(heard))
          .as(heard.body())
          .isEqualTo(promise.told);
      assertThat(pays(record)).as(record.toString()).isEqualTo(promise.pays);
      assertThat(scene.balance().settled().credits()).isEqualTo(record.cost());
      assertThat(scene.balance().held().credits()).isEqualTo(Usd.ZERO);
      assertThat(scene.balance().overrun().nanos() > 0).isEqualTo(ending == Ending.COUNTS_BEYOND);
      assertThat(scene.upstream.closed()).isEqualTo(1);
    }
  }

  private static String told(Scene.Heard heard) {
    Matcher error = ERROR.matcher(heard.body());
    if (error.find()) {
      return error.group(1).equals("403") ? "the plugin's error" : "error " + error.group(1);
    }
    assertThat(heard.body()).contains("\"finish_reason\":\"", "data: [DONE]");
    return heard.body().contains("\"finish_reason\":\"length\"")
        ? "the finish reason `length`"
        : "the finish reason";
  }

  private static String pays(CallRecord record) {
    if (record.cost().equals(Usd.ZERO)) {
      return "nothing";
    }
    if (record.outcome() != CallRecord.Outcome.COMPLETE) {
      return "what was delivered";
    }
    CallRecord.BillLine billLine = record.billLines().getLast();
    boolean cut =
        record.trace().stream()
            .anyMatch(
                entry ->
                    entry instanceof TraceEntry.Note(String who, String text)
                        && text.startsWith("output_cut_at_hold"));
    if (!billLine.usage().isEstimated()) {
      return "what the provider counted";
    }
    assertThat(billLine.usage().completionTokens()).isBetween(1L, (long) Scene.CAP);
    return cut ? "an estimate, at most the hold" : "an estimate";
  }

  @ParameterizedTest
  @EnumSource(
      value = Ending.class,
      names = {"ERROR_FRAME", "FINISHED_WITH_ERROR", "NONSENSE", "CUT_ARGUMENTS", "SILENT"})
  @DisplayName("keeps the insurance when the caller paused before, and that is not why it failed:")
  void pausedBefore(Ending ending) {
    try (var scene = new Scene()) {
      var steps = new ArrayList<Step>(List.of(text("12345678"), text("more")));
      steps.addAll(ending.steps(scene));
      scene.upstream.streams(steps.toArray(Step[]::new));
      assertThat(told(scene.ask("/chat/completions", true, true))).startsWith("error 5");
      assertThat(scene.record().cost()).isEqualTo(Usd.ZERO);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6})
  @DisplayName("keeps the insurance when the upstream still sent, seconds after a pause was over:")
  void pausedLongBefore(int seconds) {
    try (var scene = new Scene()) {
      scene.upstream.streams(
          text("12345678"), scene.looks(seconds), text("more"), scene.looks(0), new Step.Reset());
      assertThat(told(scene.ask("/chat/completions", true, true))).isEqualTo("error 502");
      boolean insured = scene.record().cost().equals(Usd.ZERO);
      assertThat(insured).isEqualTo(seconds > 5);
    }
  }

  @ParameterizedTest
  @MethodSource("ours")
  @DisplayName("is kept by errors of the gateway's own, which name no provider:")
  void unblamed(Ending ending) {
    try (var scene = new Scene()) {
      scene.upstream.streams(ending.steps(scene).toArray(Step[]::new));
      scene.plugged = ending.isPlugged();
      String body = scene.ask("/chat/completions", true, false).body();
      assertThat(body.substring(Math.max(0, body.lastIndexOf("data: {"))))
          .doesNotContain("Provider", "provider_name", "alpha", "Alpha");
      if (ending == Ending.SHUTDOWN || ending == Ending.SHUTDOWN_BEFORE) {
        assertThat(body).contains("The gateway is shutting down");
      }
    }
  }

  static Stream<Ending> ours() {
    return Stream.of(
        Ending.SHUTDOWN,
        Ending.SHUTDOWN_BEFORE,
        Ending.TOTAL,
        Ending.TOTAL_BEFORE,
        Ending.OUT_OF_MEMORY);
  }

  @ParameterizedTest
  @MethodSource("fronts")
  @DisplayName("is told in the words of each dialect when an answer is cut at its hold:")
  void fronts(String path, String word) {
    try (var scene = new Scene()) {
      scene.upstream.streams(Ending.ENDLESS.steps(scene).toArray(Step[]::new));
      String body = scene.ask(path, true, false).body();
      assertThat(body).contains(word).doesNotContain("\"error\":{");
      assertThat(body.length()).isLessThan(1_000_000);
      assertThat(scene.upstream.sent()).isLessThan(400_000);
      assertThat(scene.record().cost().nanos()).isPositive();
    }
  }

  static Stream<Arguments> fronts() {
    return Stream.of(
        Arguments.of("/chat/completions", "\"finish_reason\":\"length\""),
        Arguments.of("/messages", "\"stop_reason\":\"max_tokens\""),
        Arguments.of("/responses", "\"reason\":\"max_output_tokens\""));
  }
}
