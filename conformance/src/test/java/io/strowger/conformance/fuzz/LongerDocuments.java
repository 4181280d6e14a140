package io.strowger.conformance.fuzz;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Makes a document longer in each possible place: repeats a list, with equal and with different
 * items, adds unknown members to an object, and lengthens a text.
 */
final class LongerDocuments {
  private final Map<String, IntFunction<Json.Obj>> ways = new LinkedHashMap<>();

  private LongerDocuments() {}

  /** Returns the ways by their names; each makes a document for a length. */
  static Map<String, IntFunction<Json.Obj>> growthFunctionsOf(Json.Obj document) {
    var longer = new LongerDocuments();
    longer.visit("", document, UnaryOperator.identity());
    return longer.ways;
  }

  /**
   * Adds the ways for a value and all values below it.
   *
   * @param pattern the place, without the indexes of items: the last of equal places is used
   * @param here the value at the place
   * @param rebuild makes the document with another value at the place
   */
  private void visit(String pattern, Json here, UnaryOperator<Json> rebuild) {
    switch (here) {
      case Json.Arr items when !items.isEmpty() -> {
        add(pattern + " equal items", rebuild, n -> items(items, n, false));
        add(pattern + " different items", rebuild, n -> items(items, n, true));
        for (int i = 0; i < items.size(); i++) {
          int index = i;
          visit(pattern + "/*", items.get(i), inner -> rebuild.apply(items.with(index, inner)));
        }
      }
      case Json.Obj object -> {
        add(pattern + " members", rebuild, n -> members(object, n));
        for (int i = 0; i < object.size(); i++) {
          String name = object.name(i);
          visit(
              pattern + "/" + name,
              object.value(i),
              inner -> rebuild.apply(object.with(name, inner)));
        }
      }
      case Json.Str str -> add(pattern + " text", rebuild, n -> text(str, n));
      default -> {}
    }
  }

  private void add(String way, UnaryOperator<Json> rebuild, IntFunction<Json> longer) {
    ways.put(way, length -> (Json.Obj) rebuild.apply(longer.apply(length)));
  }

  private static Json items(Json.Arr items, int length, boolean different) {
    var many = new ArrayList<Json>(length);
    for (int i = 0; i < length; i++) {
      Json item = items.get(i % items.size());
      many.add(different ? numbered(item, i) : item);
    }
    return Json.array(many);
  }

  /** Appends a number to a text or to the texts of an object, so that names and ids differ. */
  private static Json numbered(Json json, int number) {
    if (json instanceof Json.Str str) {
      return Json.of(str.text() + number);
    }
    Json numbered = json;
    if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        if (object.value(i) instanceof Json.Str str && !name.equals("type")) {
          numbered = ((Json.Obj) numbered).with(name, Json.of(str.text() + number));
        }
      }
    }
    return numbered;
  }

  private static Json members(Json.Obj object, int more) {
    Json.Obj.Builder longer = Json.object().putAll(object);
    for (String name : CollidingNames.names(more)) {
      longer.put(name, Json.of(0));
    }
    return longer.build();
  }

  /** Lengthens a text by its own first character, which is likely to be allowed, and by escapes. */
  private static Json text(Json.Str str, int length) {
    String text = str.text();
    String unit = text.isEmpty() ? "a" : text.substring(0, 1);
    return Json.of(text + unit.repeat(length * 16) + "\n\u0001");
  }
}
