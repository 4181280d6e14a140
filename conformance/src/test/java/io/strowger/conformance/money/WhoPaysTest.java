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

  /** What the table promises: what the caller gets, and what the caller pays. */
  private record Promise(String response, String payment) {}

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
    try (var gateway = new MoneyGateway()) {
      for (Ending ending : Ending.values()) {
        for (int form = 0; form <= ending.otherForms(gateway).size(); form++) {
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
    try (var gateway = new MoneyGateway()) {
      List<Step> steps =
          form == 0 ? ending.steps(gateway) : ending.otherForms(gateway).get(form - 1);
      gateway.upstream.streams(steps.toArray(Step[]::new));
      gateway.usesPlugin = ending.usesPlugin();
      MoneyGateway.Response response = gateway.ask("/chat/completions", true, ending.pauses());
      CallRecord record = gateway.record();
      assertThat(ending.callerIsGone() ? "nothing" : describeResponse(response))
          .as(response.body())
          .isEqualTo(promise.response);
      assertThat(describePayment(record)).as(record.toString()).isEqualTo(promise.payment);
      assertThat(gateway.balance().settled().credits()).isEqualTo(record.cost());
      assertThat(gateway.balance().held().credits()).isEqualTo(Usd.ZERO);
      assertThat(gateway.balance().overrun().nanos() > 0).isEqualTo(ending == Ending.COUNTS_BEYOND);
      assertThat(gateway.upstream.closed()).isEqualTo(1);
    }
  }

  private static String describeResponse(MoneyGateway.Response response) {
    Matcher error = ERROR.matcher(response.body());
    if (error.find()) {
      return error.group(1).equals("403") ? "the plugin's error" : "error " + error.group(1);
    }
    assertThat(response.body()).contains("\"finish_reason\":\"", "data: [DONE]");
    return response.body().contains("\"finish_reason\":\"length\"")
        ? "the finish reason `length`"
        : "the finish reason";
  }

  private static String describePayment(CallRecord record) {
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
    assertThat(billLine.usage().completionTokens())
        .isBetween(1L, (long) MoneyGateway.MAX_OUTPUT_TOKENS);
    return cut ? "an estimate, at most the hold" : "an estimate";
  }

  @ParameterizedTest
  @EnumSource(
      value = Ending.class,
      names = {"ERROR_FRAME", "FINISHED_WITH_ERROR", "NONSENSE", "CUT_ARGUMENTS", "SILENT"})
  @DisplayName("insures an answer that failed after the caller had paused, but for another reason:")
  void pausedBefore(Ending ending) {
    try (var gateway = new MoneyGateway()) {
      var steps = new ArrayList<Step>(List.of(text(MoneyGateway.PAUSE_AFTER), text("more")));
      steps.addAll(ending.steps(gateway));
      gateway.upstream.streams(steps.toArray(Step[]::new));
      assertThat(describeResponse(gateway.ask("/chat/completions", true, true)))
          .startsWith("error 5");
      assertThat(gateway.record().cost()).isEqualTo(Usd.ZERO);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6})
  @DisplayName(
      "insures a connection lost more than five seconds after a pause, but not one lost earlier:")
  void pausedLongBefore(int seconds) {
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.streams(
          text(MoneyGateway.PAUSE_AFTER),
          gateway.timePasses(seconds),
          text("more"),
          gateway.timePasses(0),
          new Step.Reset());
      assertThat(describeResponse(gateway.ask("/chat/completions", true, true)))
          .isEqualTo("error 502");
      boolean insured = gateway.record().cost().equals(Usd.ZERO);
      assertThat(insured).isEqualTo(seconds > 5);
    }
  }

  @ParameterizedTest
  @MethodSource("gatewayErrors")
  @DisplayName("has endings that are the gateway's own errors, which name no provider:")
  void gatewayErrors(Ending ending) {
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.streams(ending.steps(gateway).toArray(Step[]::new));
      gateway.usesPlugin = ending.usesPlugin();
      String body = gateway.ask("/chat/completions", true, false).body();
      assertThat(body.substring(Math.max(0, body.lastIndexOf("data: {"))))
          .doesNotContain("Provider", "provider_name", "alpha", "Alpha");
      if (ending == Ending.SHUTDOWN || ending == Ending.SHUTDOWN_BEFORE) {
        assertThat(body).contains("The gateway is shutting down");
      }
    }
  }

  static Stream<Ending> gatewayErrors() {
    return Stream.of(
        Ending.SHUTDOWN,
        Ending.SHUTDOWN_BEFORE,
        Ending.TOTAL,
        Ending.TOTAL_BEFORE,
        Ending.OUT_OF_MEMORY);
  }

  @ParameterizedTest
  @MethodSource("finishReasons")
  @DisplayName(
      "has an answer that is cut at its hold, which each dialect reports with its finish reason:")
  void cutAtHold(String path, String finishReason) {
    try (var gateway = new MoneyGateway()) {
      gateway.upstream.streams(Ending.ENDLESS.steps(gateway).toArray(Step[]::new));
      String body = gateway.ask(path, true, false).body();
      assertThat(body).contains(finishReason).doesNotContain("\"error\":{");
      assertThat(body.length()).isLessThan(1_000_000);
      assertThat(gateway.upstream.sent()).isLessThan(400_000);
      assertThat(gateway.record().cost().nanos()).isPositive();
    }
  }

  static Stream<Arguments> finishReasons() {
    return Stream.of(
        Arguments.of("/chat/completions", "\"finish_reason\":\"length\""),
        Arguments.of("/messages", "\"stop_reason\":\"max_tokens\""),
        Arguments.of("/responses", "\"reason\":\"max_output_tokens\""));
  }
}
