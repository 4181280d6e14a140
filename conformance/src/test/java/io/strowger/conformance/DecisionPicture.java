package io.strowger.conformance;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Draws a decision as SVG: the request, the endpoints that are tried, and the excluded endpoints
 * with their reasons.
 */
final class DecisionPicture {
  private static final int WIDTH = 1040;
  private static final int ROW_HEIGHT = 46;
  private static final int TOP = 92;
  private static final int MARGIN = 24;
  private static final int DECISION_LEFT = 270;
  private static final int LINE_HEIGHT = 19;
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  private final Json.Obj config;
  private final Json.Obj decision;
  private final List<String> lines = new ArrayList<>();

  private DecisionPicture(Json.Obj config, Json.Obj decision) {
    this.config = config;
    this.decision = decision;
  }

  /**
   * Returns the SVG of a decision.
   *
   * @param decision the decision in the form of {@code explain --json}
   */
  static String of(Json.Obj config, Json.Obj request, Json.Obj decision) {
    return new DecisionPicture(config, decision).draw(request);
  }

  private String draw(Json.Obj request) {
    List<Json.Obj> attempts = GatewayCommands.objects(decision, "attempts");
    List<Json.Obj> excluded = GatewayCommands.objects(decision, "excluded");
    List<String> requestLines = requestLines(request);
    int rows = attempts.size() + excluded.size();
    int height = Math.max(TOP + rows * ROW_HEIGHT, TOP + requestLines.size() * LINE_HEIGHT) + 20;
    lines.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"system-ui, sans-serif\" font-size=\"13\">"
            .formatted(WIDTH, height));
    lines.add("<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fff\"/>".formatted(WIDTH, height));
    text(MARGIN, 34, "font-size=\"15\" font-weight=\"700\" fill=\"#1b2333\"", "The request");
    text(
        DECISION_LEFT, 34, "font-size=\"15\" font-weight=\"700\" fill=\"#1b2333\"", "The decision");
    text(MARGIN, 56, "fill=\"#5a6478\"", "as its caller wrote it");
    text(
        DECISION_LEFT,
        56,
        "fill=\"#5a6478\"",
        "%d of %d endpoints, seed %s, the same every time"
            .formatted(attempts.size(), rows, decision.get("seed")));
    for (int i = 0; i < requestLines.size(); i++) {
      text(
          MARGIN,
          TOP + i * LINE_HEIGHT,
          "font-family=\"ui-monospace, monospace\" fill=\"#1b2333\"",
          requestLines.get(i));
    }
    int y = TOP - 16;
    for (Json.Obj attempt : attempts) {
      candidate(attempt, y);
      y += ROW_HEIGHT;
    }
    for (Json.Obj exclusion : excluded) {
      excluded(exclusion, y);
      y += ROW_HEIGHT;
    }
    lines.add("</svg>");
    return String.join("\n", lines) + "\n";
  }

  private static List<String> requestLines(Json.Obj request) {
    var requestLines = new ArrayList<String>();
    for (int i = 0; i < request.size(); i++) {
      String name = request.name(i);
      if (name.equals("messages")) {
        requestLines.add("messages: ...");
      } else if (name.equals("provider") && request.value(i) instanceof Json.Obj provider) {
        requestLines.add("provider:");
        for (int j = 0; j < provider.size(); j++) {
          requestLines.add("  " + provider.name(j) + ": " + plain(provider.value(j)));
        }
      } else if (request.value(i) instanceof Json.Arr list) {
        requestLines.add(name + ":");
        list.forEach(item -> requestLines.add("  " + plain(item)));
      } else {
        requestLines.add(name + ": " + plain(request.value(i)));
      }
    }
    return requestLines;
  }

  private static String plain(Json value) {
    return value instanceof Json.Obj object && object.size() == 1
        ? object.name(0) + " " + plain(object.value(0))
        : value instanceof Json.Str text ? text.text() : value.toString();
  }

  private void candidate(Json.Obj attempt, int y) {
    int rank = Integer.parseInt(String.valueOf(attempt.get("rank"))) + 1;
    row(y, "#eaf6ee", "#5a9a72");
    lines.add(
        "<circle cx=\"%d\" cy=\"%d\" r=\"12\" fill=\"#3f7d57\"/>"
            .formatted(DECISION_LEFT + 22, y + 19));
    text(
        DECISION_LEFT + 22,
        y + 24,
        "text-anchor=\"middle\" font-weight=\"700\" fill=\"#fff\"",
        "" + rank);
    endpoint(attempt, y, "#1b2333");
    text(
        DECISION_LEFT + 316,
        y + 24,
        "fill=\"#2c5a3e\"",
        (rank == 1 ? "tried first: " : "tried if that fails: ") + reason(attempt));
  }

  private static String reason(Json.Obj attempt) {
    String by = Objects.requireNonNull(attempt.text("by"));
    var score = new BigDecimal(String.valueOf(attempt.get("score")));
    return switch (by) {
      case "latency" ->
          "begins after " + score.multiply(BigDecimal.valueOf(1000)).intValue() + " ms";
      case "throughput" -> score.intValue() + " tokens a second";
      default -> "by " + by;
    };
  }

  private void excluded(Json.Obj exclusion, int y) {
    row(y, "#f8f1f0", "#c9a19b");
    text(
        DECISION_LEFT + 22,
        y + 24,
        "text-anchor=\"middle\" font-weight=\"700\" fill=\"#a04a3e\"",
        "×");
    endpoint(exclusion, y, "#7a6a68");
    text(
        DECISION_LEFT + 316,
        y + 24,
        "fill=\"#a04a3e\"",
        exclusion.text("rule") + ": " + exclusion.text("reason"));
  }

  private void row(int y, String fill, String stroke) {
    lines.add(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"38\" rx=\"6\" fill=\"%s\" stroke=\"%s\"/>"
            .formatted(DECISION_LEFT, y, WIDTH - DECISION_LEFT - MARGIN, fill, stroke));
  }

  private void endpoint(Json.Obj endpoint, int y, String colour) {
    String model = Objects.requireNonNull(endpoint.text("model"));
    String tag = Objects.requireNonNull(endpoint.text("tag"));
    text(DECISION_LEFT + 46, y + 24, "font-weight=\"600\" fill=\"" + colour + "\"", tag);
    text(DECISION_LEFT + 116, y + 24, "fill=\"" + colour + "\"", model);
    text(
        DECISION_LEFT + 206,
        y + 24,
        "fill=\"" + colour + "\"",
        "$" + price(model, tag) + "/M tokens");
  }

  /** Returns the price of a prompt, in dollars per million tokens. */
  private String price(String model, String tag) {
    for (Json.Obj found : GatewayCommands.objects(config, "models")) {
      if (model.equals(found.text("id"))) {
        for (Json.Obj serving : GatewayCommands.objects(found, "endpoints")) {
          if (tag.equals(serving.text("provider"))) {
            String dollars =
                Objects.requireNonNull(
                    Objects.requireNonNull(serving.object("pricing")).text("prompt"));
            return new BigDecimal(dollars).multiply(MILLION).setScale(2).toPlainString();
          }
        }
      }
    }
    throw new AssertionError("no endpoint " + tag + " of " + model);
  }

  private void text(int x, int y, String style, String text) {
    lines.add(
        "<text x=\"%d\" y=\"%d\" xml:space=\"preserve\" %s>%s</text>"
            .formatted(x, y, style, text.replace("&", "&amp;").replace("<", "&lt;")));
  }
}
