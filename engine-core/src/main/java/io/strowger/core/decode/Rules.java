package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The common rules. Lengths count Unicode characters, not bytes; bounds are inclusive. */
public final class Rules {
  /**
   * The most characters of a name: of a model with variants, a provider, a voice, a tool, an id.
   */
  public static final int NAME_CHARS = 256;

  /** The most models that one request may name. */
  public static final int MAX_MODELS = 100;

  /** The most characters of a string that is matched with a pattern. */
  private static final int MAX_MATCHED_CHARS = 1024;

  /** The most bytes of one character in JSON: those of an escaped surrogate pair. */
  private static final int MAX_BYTES_PER_CHAR = 12;

  private static final Rule<Json> ANY = (json, context) -> json;
  private static final Rule<Json.Str> STRING =
      (json, context) -> {
        if (json instanceof Json.Str str) {
          return str;
        }
        context.reject("must be a string", json);
        return null;
      };
  private static final Rule<Json.Bool> BOOL =
      (json, context) -> {
        if (json instanceof Json.Bool bool) {
          return bool;
        }
        context.reject("must be true or false", json);
        return null;
      };
  private static final Rule<Json.Obj> OBJECT =
      (json, context) -> {
        if (json instanceof Json.Obj object) {
          return object;
        }
        context.reject("must be an object", json);
        return null;
      };
  private static final Rule<Json.Arr> ARRAY =
      (json, context) -> {
        if (json instanceof Json.Arr array) {
          return array;
        }
        context.reject("must be an array", json);
        return null;
      };
  private static final Rule<BigDecimal> NUMBER =
      (json, context) -> {
        BigDecimal number = decimal(json);
        if (number == null) {
          context.reject("must be a number", json);
        }
        return number;
      };
  private static final Rule<Long> INTEGER =
      (json, context) -> {
        OptionalLong number = integerOf(json);
        if (number.isPresent()) {
          return number.getAsLong();
        }
        context.reject("must be a whole number", json);
        return null;
      };

  private static final Rule<String> NAME = limitedToName(text());
  private static final Rule<String> NAME_OR_EMPTY = limitedToName(textUpTo(Integer.MAX_VALUE));
  private static final Rule<List<String>> MODELS = list(NAME, 0, MAX_MODELS);

  private Rules() {}

  private static Rule<String> limitedToName(Rule<String> text) {
    return (json, context) -> {
      if (json instanceof Json.Str str && !fits(str, NAME_CHARS)) {
        context.reject("must have at most " + NAME_CHARS + " characters", json);
        return null;
      }
      return text.read(json, context);
    };
  }

  /** Returns the rule that accepts any value, null included. */
  public static Rule<Json> any() {
    return ANY;
  }

  /** Returns the rule for a string, which is not decoded. */
  public static Rule<Json.Str> string() {
    return STRING;
  }

  public static Rule<Json.Bool> bool() {
    return BOOL;
  }

  /** Returns the rule for an object, whatever its members. */
  public static Rule<Json.Obj> object() {
    return OBJECT;
  }

  /** Returns the rule for an array, whatever its items. */
  public static Rule<Json.Arr> array() {
    return ARRAY;
  }

  public static Rule<BigDecimal> number() {
    return NUMBER;
  }

  public static Rule<BigDecimal> number(BigDecimal min, BigDecimal max) {
    String allowed = "must be a number from " + min.toPlainString() + " to " + max.toPlainString();
    return (json, context) -> {
      BigDecimal number = decimal(json);
      if (number != null && number.compareTo(min) >= 0 && number.compareTo(max) <= 0) {
        return number;
      }
      context.reject(allowed, json);
      return null;
    };
  }

  public static Rule<BigDecimal> number(long min, long max) {
    return number(BigDecimal.valueOf(min), BigDecimal.valueOf(max));
  }

  public static Rule<BigDecimal> numberAtLeast(long min) {
    var bound = BigDecimal.valueOf(min);
    return (json, context) -> {
      BigDecimal number = decimal(json);
      if (number != null && number.compareTo(bound) >= 0) {
        return number;
      }
      context.reject("must be a number of at least " + min, json);
      return null;
    };
  }

  /** Returns the rule for a whole number that fits 64 bits. */
  public static Rule<Long> integer() {
    return INTEGER;
  }

  public static Rule<Long> integerAtLeast(long min) {
    return integer(min, Long.MAX_VALUE);
  }

  public static Rule<Long> integer(long min, long max) {
    String range = max == Long.MAX_VALUE ? "of at least " + min : "from " + min + " to " + max;
    String allowed = "must be a whole number " + range;
    return (json, context) -> {
      OptionalLong number = integerOf(json);
      if (number.isPresent() && number.getAsLong() >= min && number.getAsLong() <= max) {
        return number.getAsLong();
      }
      context.reject(allowed, json);
      return null;
    };
  }

  /** Returns the rule for a string that is not empty. */
  public static Rule<String> text() {
    return text(1, Integer.MAX_VALUE);
  }

  /**
   * Returns the rule for a name, a string of 1 to {@value #NAME_CHARS} characters. Names are split,
   * compared with many others and shown, so a longer string is refused before it is decoded.
   */
  public static Rule<String> name() {
    return NAME;
  }

  /** Returns whether a string is short enough to be a name. */
  public static boolean isName(Json.Str str) {
    return fits(str, NAME_CHARS);
  }

  /** Returns a rule like {@link #name}, but allows the empty string. */
  public static Rule<String> nameOrEmpty() {
    return NAME_OR_EMPTY;
  }

  /** Returns the rule for the models a request names besides or instead of {@code model}. */
  public static Rule<List<String>> models() {
    return MODELS;
  }

  /** Returns the rule for a string of at most this many characters, which may be empty. */
  public static Rule<String> textUpTo(int max) {
    return text(0, max);
  }

  public static Rule<String> text(int min, int max) {
    Rule<Json.Str> string = string(min, max);
    return (json, context) -> {
      Json.Str str = string.read(json, context);
      return str == null ? null : str.text();
    };
  }

  /** Returns a rule like {@link #text(int, int)} that keeps the string undecoded. */
  public static Rule<Json.Str> string(int min, int max) {
    String allowed = "must be a string" + range(min, max);
    return (json, context) -> {
      if (json instanceof Json.Str str && reaches(str, min) && fits(str, max)) {
        return str;
      }
      context.reject(allowed, json);
      return null;
    };
  }

  private static String range(int min, int max) {
    if (max == Integer.MAX_VALUE) {
      return min == 0 ? "" : min == 1 ? ", not empty" : " of at least " + min + " characters";
    }
    String count = min == max ? "exactly " + max : (min == 0 ? "at most " : min + " to ") + max;
    return " of " + count + (max == 1 ? " character" : " characters");
  }

  /** Returns the rule for a string that is one of these words. */
  public static Rule<String> wordAmong(String... words) {
    return wordAmong(List.of(words));
  }

  /** Returns the rule for a string that is one of these words. */
  public static Rule<String> wordAmong(List<String> words) {
    String[] wordArray = words.toArray(new String[0]);
    String allowed =
        "must be " + (wordArray.length == 1 ? "" : "one of ") + String.join(", ", wordArray);
    return (json, context) -> {
      String word = json instanceof Json.Str str ? wordOf(str, wordArray) : null;
      if (word == null) {
        context.reject(allowed, json);
      }
      return word;
    };
  }

  /** Returns the word that a string spells, without decoding it; null when there is none. */
  private static @Nullable String wordOf(Json.Str str, String[] words) {
    for (String word : words) {
      if (str.is(word)) {
        return word;
      }
    }
    return null;
  }

  /**
   * Returns the rule for a string of at most 1,024 characters that a pattern matches entirely.
   *
   * @param allowed the message for other values: {@code must be 1 to 64 of A-Z a-z 0-9 _ -}
   */
  public static Rule<String> matching(Pattern pattern, String allowed) {
    return (json, context) -> {
      if (json instanceof Json.Str str
          && canFit(str, MAX_MATCHED_CHARS)
          && pattern.matcher(str.text()).matches()) {
        return str.text();
      }
      context.reject(allowed, json);
      return null;
    };
  }

  /** Returns the rule for an array of items; wrong ones are reported and left out of the value. */
  public static <T> Rule<List<T>> list(Rule<T> item) {
    return list(item, 0, Integer.MAX_VALUE);
  }

  /** Returns the rule for an array with a number of items in this range. */
  public static <T> Rule<List<T>> list(Rule<T> item, int min, int max) {
    return (json, context) -> {
      Json.Arr array = arrayOfSize(json, context, min, max);
      if (array == null || array.isEmpty()) {
        return array == null ? null : List.of();
      }
      var values = new ArrayList<T>(array.size());
      for (int i = 0; i < array.size(); i++) {
        context.enter(i);
        T value = item.read(array.get(i), context);
        context.leave();
        if (value != null) {
          values.add(value);
        }
      }
      return values;
    };
  }

  /** Returns the rule for an array of items that is kept in its JSON form. */
  public static Rule<Json.Arr> items(Rule<?> item) {
    return items(item, 0, Integer.MAX_VALUE);
  }

  /** Returns the rule for an array with a number of items in this range, kept as JSON. */
  public static Rule<Json.Arr> items(Rule<?> item, int min, int max) {
    return (json, context) -> {
      Json.Arr array = arrayOfSize(json, context, min, max);
      for (int i = 0; array != null && i < array.size(); i++) {
        context.enter(i);
        item.read(array.get(i), context);
        context.leave();
      }
      return array;
    };
  }

  private static Json.@Nullable Arr arrayOfSize(
      Json json, DecodingContext context, int min, int max) {
    Json.Arr array = ARRAY.read(json, context);
    if (array != null && (array.size() < min || array.size() > max)) {
      String range =
          max == Integer.MAX_VALUE
              ? "at least " + min
              : min == 0 ? "at most " + max : min + " to " + max;
      context.reject("must have " + range + (range.endsWith(" 1") ? " item" : " items"), array);
      return array.size() > max ? null : array;
    }
    return array;
  }

  /** Returns the rule for an object whose values all follow a rule, whatever their names. */
  public static Rule<Json.Obj> map(Rule<?> value) {
    return (json, context) -> {
      Json.Obj object = OBJECT.read(json, context);
      for (int i = 0; object != null && i < object.size(); i++) {
        context.enter(object.name(i));
        value.read(object.value(i), context);
        context.leave();
      }
      return object;
    };
  }

  /** Returns whether a string has at most this many characters; decodes it only if necessary. */
  static boolean fits(Json.Str str, int max) {
    return str.utf8Bound() <= max || canFit(str, max) && fits(str.text(), max);
  }

  /**
   * Returns whether a string may have at most this many characters, judging only by its bytes:
   * false when it has more bytes than so many characters can take, even if all are escaped.
   */
  private static boolean canFit(Json.Str str, int max) {
    return str.utf8Bound() <= (long) max * MAX_BYTES_PER_CHAR;
  }

  private static boolean reaches(Json.Str str, int min) {
    return min <= 1 ? min == 0 || !str.isEmpty() : count(str.text()) >= min;
  }

  public static boolean fits(String text, int max) {
    return text.length() <= max || count(text) <= max;
  }

  private static int count(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Returns the value of a number; null for anything else, and for exponents out of range. */
  public static @Nullable BigDecimal decimal(Json json) {
    try {
      return json instanceof Json.Num num ? num.decimal() : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static OptionalLong integerOf(Json json) {
    return json instanceof Json.Num num ? num.asLong() : OptionalLong.empty();
  }
}
