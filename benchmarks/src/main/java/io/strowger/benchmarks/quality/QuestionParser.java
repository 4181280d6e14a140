package io.strowger.benchmarks.quality;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a question of one line of a file of outcomes: {@code {"id", "dataset", "prompt",
 * "category", "models": {"name": {"score", "cost_usd"}}}}. The members {@code dataset} and {@code
 * category} may be left out; other members are ignored. Confined to one thread.
 */
final class QuestionParser {
  private static final BigDecimal MAX_COST = BigDecimal.valueOf(1_000_000); // US dollars

  private final List<String> problems = new ArrayList<>();

  /** Returns what is wrong with the line, one sentence each; empty when nothing is. */
  List<String> problems() {
    return problems;
  }

  /** Returns the question; to be used only when there are no problems. */
  Question parse(Json line) {
    if (!(line instanceof Json.Obj object)) {
      problems.add("must be an object, is " + line.kind());
      return new Question("", "", "", "", Map.of());
    }
    String id = text(object, "id", true);
    if (id.isEmpty() && object.get("id") instanceof Json.Str) {
      problems.add("/id must not be empty");
    }
    return new Question(
        id,
        text(object, "dataset", false),
        text(object, "category", false),
        text(object, "prompt", true),
        outcomes(object));
  }

  private String text(Json.Obj object, String member, boolean required) {
    Json value = object.get(member);
    if (value instanceof Json.Str text) {
      return text.text();
    }
    if (value != null) {
      problems.add("/" + member + " must be a string, is " + value.kind());
    } else if (required) {
      problems.add("/" + member + " is missing");
    }
    return "";
  }

  private Map<String, ModelOutcome> outcomes(Json.Obj object) {
    var outcomes = new LinkedHashMap<String, ModelOutcome>();
    if (!(object.get("models") instanceof Json.Obj models) || models.size() == 0) {
      problems.add("/models must be an object with at least one model");
      return outcomes;
    }
    for (int i = 0; i < models.size(); i++) {
      String place = "/models/" + models.name(i);
      if (models.value(i) instanceof Json.Obj outcome) {
        double score = number(outcome, "score", BigDecimal.ONE, place);
        double cost = number(outcome, "cost_usd", MAX_COST, place);
        outcomes.put(models.name(i), new ModelOutcome(score, cost));
      } else {
        problems.add(place + " must be an object with score and cost_usd");
      }
    }
    return outcomes;
  }

  private double number(Json.Obj outcome, String member, BigDecimal max, String place) {
    if (outcome.get(member) instanceof Json.Num number) {
      BigDecimal value = decimal(number);
      if (value.signum() >= 0 && value.compareTo(max) <= 0) {
        return value.doubleValue();
      }
    }
    problems.add(
        "%s/%s must be a number from 0 to %s".formatted(place, member, max.toPlainString()));
    return 0;
  }

  private static BigDecimal decimal(Json.Num number) {
    try {
      return number.decimal();
    } catch (NumberFormatException e) { // an exponent beyond 32 bits is outside every range
      return BigDecimal.ONE.negate();
    }
  }
}
