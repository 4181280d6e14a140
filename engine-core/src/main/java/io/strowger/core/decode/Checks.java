package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Judges one member at a time: a good value is given back in its type, a bad one is noted with its
 * place and given back as nothing. The place is only spelled out for a bad one.
 */
final class Checks {
  private final Problems problems;

  Checks(Problems problems) {
    this.problems = problems;
  }

  Problems problems() {
    return problems;
  }

  void wrong(JsonPointer parent, String name, String allowed, Json given) {
    problems.add(parent.child(name), allowed, given);
  }

  void missing(JsonPointer parent, String name) {
    problems.missing(parent.child(name));
  }

  Json.@Nullable Str string(JsonPointer parent, String name, Json given) {
    if (given instanceof Json.Str str) {
      return str;
    }
    wrong(parent, name, "must be a string", given);
    return null;
  }

  /** A string of so many characters. */
  @Nullable String text(JsonPointer parent, String name, Json given, int min, int max) {
    if (given instanceof Json.Str str && !(min > 0 && str.isEmpty()) && fits(str, max)) {
      return str.text();
    }
    wrong(parent, name, "must be a string" + range(min, max), given);
    return null;
  }

  private static String range(int min, int max) {
    if (max == Integer.MAX_VALUE) {
      return min == 0 ? "" : ", not empty";
    }
    return " of " + (min == 0 ? "at most " : min + " to ") + max + " characters";
  }

  /** Counts characters only when the bytes do not already settle it. */
  static boolean fits(Json.Str str, int max) {
    return str.utf8Bound() <= max || fits(str.text(), max);
  }

  static boolean fits(String text, int max) {
    return text.length() <= max || text.codePointCount(0, text.length()) <= max;
  }

  /** One of a few words. */
  @Nullable String word(JsonPointer parent, String name, Json given, List<String> allowed) {
    if (given instanceof Json.Str str && allowed.contains(str.text())) {
      return str.text();
    }
    wrong(parent, name, "must be one of " + String.join(", ", allowed), given);
    return null;
  }

  void bool(JsonPointer parent, String name, Json given) {
    if (!(given instanceof Json.Bool)) {
      wrong(parent, name, "must be true or false", given);
    }
  }

  /** True when the member is there as it should be and says true. */
  boolean isTrue(JsonPointer parent, String name, Json given) {
    bool(parent, name, given);
    return given.equals(Json.TRUE);
  }

  void number(JsonPointer parent, String name, Json given) {
    if (decimal(given) == null) {
      wrong(parent, name, "must be a number", given);
    }
  }

  /** A number with both bounds allowed. */
  void number(JsonPointer parent, String name, Json given, BigDecimal min, BigDecimal max) {
    BigDecimal number = decimal(given);
    if (number == null || number.compareTo(min) < 0 || number.compareTo(max) > 0) {
      String range = min.toPlainString() + " to " + max.toPlainString();
      wrong(parent, name, "must be a number from " + range, given);
    }
  }

  /** The value of a number; null for anything else, and for exponents nobody can mean. */
  static @Nullable BigDecimal decimal(Json given) {
    try {
      return given instanceof Json.Num num ? num.decimal() : null;
    } catch (NumberFormatException beyondAllMeasure) {
      return null;
    }
  }

  void whole(JsonPointer parent, String name, Json given) {
    if (wholeOf(given).isEmpty()) {
      wrong(parent, name, "must be a whole number", given);
    }
  }

  /** A whole number with both bounds allowed; the fallback when it is anything else. */
  long whole(JsonPointer parent, String name, Json given, long min, long max, long fallback) {
    OptionalLong number = wholeOf(given);
    if (number.isPresent() && number.getAsLong() >= min && number.getAsLong() <= max) {
      return number.getAsLong();
    }
    String range = max == Long.MAX_VALUE ? "of at least " + min : "from " + min + " to " + max;
    wrong(parent, name, "must be a whole number " + range, given);
    return fallback;
  }

  private static OptionalLong wholeOf(Json given) {
    return given instanceof Json.Num num ? num.asLong() : OptionalLong.empty();
  }

  Json.@Nullable Obj object(JsonPointer parent, String name, Json given) {
    if (given instanceof Json.Obj obj) {
      return obj;
    }
    wrong(parent, name, "must be an object", given);
    return null;
  }

  Json.@Nullable Arr array(JsonPointer parent, String name, Json given) {
    if (given instanceof Json.Arr arr) {
      return arr;
    }
    wrong(parent, name, "must be an array", given);
    return null;
  }

  /** A list of names, none of them empty; the good ones when some are bad. */
  List<String> names(JsonPointer parent, String name, Json given) {
    Json.Arr items = array(parent, name, given);
    if (items == null || items.isEmpty()) {
      return List.of();
    }
    var good = new ArrayList<String>(items.size());
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Json.Str str && !str.isEmpty()) {
        good.add(str.text());
      } else {
        problems.add(parent.child(name).child(i), "must be a string, not empty", items.get(i));
      }
    }
    return good;
  }
}
