package io.strowger.host.demo;

import io.strowger.host.show.DecisionTable;
import io.strowger.host.show.DecisionView;
import io.strowger.host.show.MoneyFormat;
import io.strowger.host.show.PrettyJson;
import io.strowger.host.show.Table;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import java.io.PrintStream;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes the output of the demo: numbered scenes with requests, answers and the decisions behind
 * them.
 */
final class DemoReport {
  private final PrintStream out;
  private int scene;

  DemoReport(PrintStream out) {
    this.out = out;
  }

  void title(String text) {
    out.println(text);
    out.println("═".repeat(text.length()));
  }

  /** Prints the heading of the next scene. */
  void scene(String heading) {
    scene++;
    out.println();
    out.println(scene + ". " + heading);
    out.println("─".repeat(Table.WIDTH));
  }

  void say(String text) {
    Table.wrap(text, Table.WIDTH - 2).forEach(line -> out.println("  " + line));
  }

  void blank() {
    out.println();
  }

  /** Prints a request. */
  void showRequest(Json.Obj request) {
    lines("→ ", PrettyJson.line(request));
  }

  /** Prints a path with a body that was sent to it or received from it. */
  void showBody(String mark, String path, String body) {
    lines(mark, path + " " + body);
  }

  void showAnswer(HttpCaller.Answer answer) {
    String text = answer.status() == 200 ? quoted(answer.text()) : answer.text();
    lines("← ", "%d after %s: %s".formatted(answer.status(), millis(answer.millis()), text));
  }

  void showPiece(HttpCaller.Piece piece) {
    Json.Obj error = piece.error();
    if (error != null) {
      lines("← ", "error after %s: %s".formatted(millis(piece.millis()), PrettyJson.line(error)));
    } else if (!piece.text().isEmpty()) {
      lines("← ", "after %s: %s".formatted(millis(piece.millis()), quoted(piece.text())));
    }
  }

  /** Prints the first bytes of a spoken answer, its length and its times. */
  void showSpeech(HttpCaller.SpeechAnswer answer) {
    lines(
        "← ",
        "%d %s, the first bytes after %s: %s"
            .formatted(
                answer.answer().status(),
                answer.contentType(),
                millis(answer.firstMillis()),
                HexFormat.ofDelimiter(" ").formatHex(answer.beginning())));
    lines("← ", "%d bytes after %s".formatted(answer.bytes(), millis(answer.answer().millis())));
  }

  /** Prints the decision behind an answer, and its cost. */
  void showDecision(Catalog catalog, CallRecord record) {
    DecisionTable.full(DecisionView.of(catalog, record)).forEach(out::println);
    String lines =
        record.billLines().stream()
            .filter(billLine -> !billLine.usage().equals(Usage.NONE))
            .map(billLine -> tokens(billLine.usage()) + " at " + billLine.endpoint())
            .collect(Collectors.joining(", "));
    say("cost  " + MoneyFormat.dollars(record.cost()) + (lines.isEmpty() ? "" : " for " + lines));
  }

  void lines(Iterable<String> lines) {
    lines.forEach(out::println);
  }

  private static String tokens(Usage usage) {
    return usage.characters() > 0
        ? usage.characters() + " characters"
        : usage.promptTokens() + " prompt + " + usage.completionTokens() + " output tokens";
  }

  private void lines(String mark, String text) {
    String indent = "  " + mark;
    for (String line : Table.wrap(text, Table.WIDTH - indent.length())) {
      out.println(indent + line);
      indent = " ".repeat(indent.length());
    }
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  static String millis(double millis) {
    return String.format(Locale.ROOT, "%.1f ms", millis);
  }
}
