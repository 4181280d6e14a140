package io.strowger.conformance;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Draws a decision as SVG: what the request says, who is tried, and who was dropped and why. */
final class DecisionPicture {
  private static final int WIDTH = 1040;
  private static final int ROW = 46;
  private static final int TOP = 92;
  private static final int LEFT = 24;
  private static final int LIST = 270;
  private static final int LINE = 19;
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  private final Json.Obj config;
  private final Json.Obj decision;
  private final List<String> lines = new ArrayList<>();

  private DecisionPicture(Json.Obj config, Json.Obj decision) {
    this.config = config;
    this.decision = decision;
  }

  /**
   * @param decision in the form of {@code explain --json}
   */
  static String of(Json.Obj config, Json.Obj request, Json.Obj decision) {
    return new DecisionPicture(config, decision).draw(request);
  }

  private String draw(Json.Obj request) {
    List<Json.Obj> attempts = Explained.objects(decision, "attempts");
    List<Json.Obj> excluded = Explained.objects(decision, "excluded");
    List<String> said = said(request);
    int rows = attempts.size() + excluded.size();
    int height = Math.max(TOP + rows * ROW, TOP + said.size() * LINE) + 20;
    lines.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"system-ui, sans-serif\" font-size=\"13\">"
            .formatted(WIDTH, height));
    lines.add("<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fff\"/>".formatted(WIDTH, height));
    text(LEFT, 34, "font-size=\"15\" font-weight=\"700\" fill=\"#1b2333\"", "The request");
    text(LIST, 34, "font-size=\"15\" font-weight=\"700\" fill=\"#1b2333\"", "The decision");
    text(LEFT, 56, "fill=\"#5a6478\"", "as its caller wrote it");
    text(
        LIST,
        56,
        "fill=\"#5a6478\"",
        "%d of %d endpoints, seed %s, the same every time"
            .formatted(attempts.size(), rows, decision.get("seed")));
    for (int i = 0; i < said.size(); i++) {
      text(
          LEFT,
          TOP + i * LINE,
          "font-family=\"ui-monospace, monospace\" fill=\"#1b2333\"",
          said.get(i));
    }
    int y = TOP - 16;
    for (Json.Obj attempt : attempts) {
      candidate(attempt, y);
      y += ROW;
    }
    for (Json.Obj drop : excluded) {
      dropped(drop, y);
      y += ROW;
    }
    lines.add("</svg>");
    return String.join("\n", lines) + "\n";
  }

  private static List<String> said(Json.Obj request) {
    var said = new ArrayList<String>();
    for (int i = 0; i < request.size(); i++) {
      String name = request.name(i);
      if (name.equals("messages")) {
        said.add("messages: ...");
      } else if (name.equals("provider") && request.value(i) instanceof Json.Obj provider) {
        said.add("provider:");
        for (int j = 0; j < provider.size(); j++) {
          said.add("  " + provider.name(j) + ": " + plain(provider.value(j)));
        }
      } else if (request.value(i) instanceof Json.Arr list) {
        said.add(name + ":");
        list.forEach(item -> said.add("  " + plain(item)));
      } else {
        said.add(name + ": " + plain(request.value(i)));
      }
    }
    return said;
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
        "<circle cx=\"%d\" cy=\"%d\" r=\"12\" fill=\"#3f7d57\"/>".formatted(LIST + 22, y + 19));
    text(LIST + 22, y + 24, "text-anchor=\"middle\" font-weight=\"700\" fill=\"#fff\"", "" + rank);
    endpoint(attempt, y, "#1b2333");
    text(
        LIST + 316,
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

  private void dropped(Json.Obj drop, int y) {
    row(y, "#f8f1f0", "#c9a19b");
    text(LIST + 22, y + 24, "text-anchor=\"middle\" font-weight=\"700\" fill=\"#a04a3e\"", "×");
    endpoint(drop, y, "#7a6a68");
    text(LIST + 316, y + 24, "fill=\"#a04a3e\"", drop.text("rule") + ": " + drop.text("reason"));
  }

  private void row(int y, String fill, String stroke) {
    lines.add(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"38\" rx=\"6\" fill=\"%s\" stroke=\"%s\"/>"
            .formatted(LIST, y, WIDTH - LIST - LEFT, fill, stroke));
  }

  private void endpoint(Json.Obj place, int y, String colour) {
    String model = Objects.requireNonNull(place.text("model"));
    String tag = Objects.requireNonNull(place.text("tag"));
    text(LIST + 46, y + 24, "font-weight=\"600\" fill=\"" + colour + "\"", tag);
    text(LIST + 116, y + 24, "fill=\"" + colour + "\"", model);
    text(LIST + 206, y + 24, "fill=\"" + colour + "\"", "$" + price(model, tag) + "/M tokens");
  }

  /** Dollars per million tokens of a prompt. */
  private String price(String model, String tag) {
    for (Json.Obj found : Explained.objects(config, "models")) {
      if (model.equals(found.text("id"))) {
        for (Json.Obj serving : Explained.objects(found, "endpoints")) {
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
