package io.strowger.host.catalog;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Quality scores of models from a file, since price lists have none. The file is a JSON object with
 * model ids as names:
 *
 * <pre>{@code
 * { "acme/large": { "intelligence": 0.97, "coding": 0.94 },
 *   "acme/small": { "intelligence": 0.41 } }
 * }</pre>
 *
 * <p>Each score is the share of models that are not better than this one, 0 to 1, like {@code
 * intelligence_score} and {@code coding_score} in a configuration.
 */
public final class Scores {
  private static final Map<String, String> MEMBERS =
      Map.of("intelligence", "intelligence_score", "coding", "coding_score");

  private final Map<String, Json.Obj> byModel; // lower-case ids, members of a configuration

  private Scores(Map<String, Json.Obj> byModel) {
    this.byModel = byModel;
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException when the file is not of this form; the message is a sentence
   *     for people that names the place
   */
  public static Scores read(Json document) {
    if (!(document instanceof Json.Obj models)) {
      throw new IllegalArgumentException(
          "the scores must be an object with model ids as names, was " + document.kind());
    }
    var byModel = new LinkedHashMap<String, Json.Obj>();
    for (int i = 0; i < models.size(); i++) {
      byModel.put(models.name(i).toLowerCase(Locale.ROOT), scores(models.name(i), models.value(i)));
    }
    return new Scores(byModel);
  }

  private static Json.Obj scores(String model, Json value) {
    if (!(value instanceof Json.Obj scores) || scores.size() == 0) {
      throw new IllegalArgumentException(
          "the scores of " + model + " must be an object with intelligence, coding or both");
    }
    var members = Json.object();
    for (int i = 0; i < scores.size(); i++) {
      String member = MEMBERS.get(scores.name(i));
      if (member == null) {
        throw new IllegalArgumentException(
            "the scores of %s have an unknown member %s; use intelligence and coding"
                .formatted(model, scores.name(i)));
      }
      if (!(scores.value(i) instanceof Json.Num number) || !isShare(number)) {
        throw new IllegalArgumentException(
            "the scores of %s: %s must be a number from 0 to 1".formatted(model, scores.name(i)));
      }
      members.put(member, number);
    }
    return members.build();
  }

  private static boolean isShare(Json.Num number) {
    BigDecimal value = number.decimal();
    return value.signum() >= 0 && value.compareTo(BigDecimal.ONE) <= 0;
  }

  /**
   * Returns the import with these scores added to its models, and with a note that lists the scored
   * models which were not imported.
   */
  public ImportResult applyTo(ImportResult imported) {
    Set<String> unknown = new TreeSet<>(byModel.keySet());
    var models = new ArrayList<Json>();
    for (Json item : Objects.requireNonNull(imported.config().list("models"), "models")) {
      Json.Obj model = (Json.Obj) item;
      String id = String.valueOf(model.text("id")).toLowerCase(Locale.ROOT);
      Json.Obj scores = byModel.getOrDefault(id, Json.Obj.EMPTY);
      unknown.remove(id);
      models.add(withScores(model, scores));
    }
    return imported.with(imported.config().with("models", Json.array(models)), notes(unknown));
  }

  private List<String> notes(Set<String> unknown) {
    return unknown.isEmpty()
        ? List.of()
        : List.of("scores of models that were not imported: " + String.join(", ", unknown));
  }

  private static Json.Obj withScores(Json.Obj model, Json.Obj scores) {
    Json.Obj result = model;
    for (int i = 0; i < scores.size(); i++) {
      result = result.with(scores.name(i), scores.value(i));
    }
    return result;
  }
}
