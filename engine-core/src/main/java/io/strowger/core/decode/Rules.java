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
  private static final int MAX_MATCHED = 1024;

  /** The most bytes of one character in JSON: those of an escaped surrogate pair. */
  private static final int MAX_BYTES_PER_CHAR = 12;

  private static final Rule<Json> ANY = (given, context) -> given;
  private static final Rule<Json.Str> STRING =
      (given, context) -> {
        if (given instanceof Json.Str str) {
          return str;
        }
        context.reject("must be a string", given);
        return null;
      };
  private static final Rule<Json.Bool> BOOL =
      (given, context) -> {
        if (given instanceof Json.Bool bool) {
          return bool;
        }
        context.reject("must be true or false", given);
        return null;
      };
  private static final Rule<Json.Obj> OBJECT =
      (given, context) -> {
        if (given instanceof Json.Obj object) {
          return object;
        }
        context.reject("must be an object", given);
        return null;
      };
  private static final Rule<Json.Arr> ARRAY =
      (given, context) -> {
        if (given instanceof Json.Arr array) {
          return array;
        }
        context.reject("must be an array", given);
        return null;
      };
  private static final Rule<BigDecimal> NUMBER =
      (given, context) -> {
        BigDecimal number = decimal(given);
        if (number == null) {
          context.reject("must be a number", given);
        }
        return number;
      };
  private static final Rule<Long> WHOLE =
      (given, context) -> {
        OptionalLong number = wholeOf(given);
        if (number.isPresent()) {
          return number.getAsLong();
        }
        context.reject("must be a whole number", given);
        return null;
      };

  private static final Rule<String> NAME = named(text());
  private static final Rule<String> NAME_OR_EMPTY = named(textUpTo(Integer.MAX_VALUE));
  private static final Rule<List<String>> MODELS = list(NAME, 0, MAX_MODELS);

  private Rules() {}

  private static Rule<String> named(Rule<String> text) {
    return (given, context) -> {
      if (given instanceof Json.Str str && !fits(str, NAME_CHARS)) {
        context.reject("must have at most " + NAME_CHARS + " characters", given);
        return null;
      }
      return text.read(given, context);
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

  public static Rule<BigDecimal> number(BigDecimal least, BigDecimal most) {
    String allowed =
        "must be a number from " + least.toPlainString() + " to " + most.toPlainString();
    return (given, context) -> {
      BigDecimal number = decimal(given);
      if (number != null && number.compareTo(least) >= 0 && number.compareTo(most) <= 0) {
        return number;
      }
      context.reject(allowed, given);
      return null;
    };
  }

  public static Rule<BigDecimal> number(long least, long most) {
    return number(BigDecimal.valueOf(least), BigDecimal.valueOf(most));
  }

  public static Rule<BigDecimal> numberAtLeast(long least) {
    var bound = BigDecimal.valueOf(least);
    return (given, context) -> {
      BigDecimal number = decimal(given);
      if (number != null && number.compareTo(bound) >= 0) {
        return number;
      }
      context.reject("must be a number of at least " + least, given);
      return null;
    };
  }

  /** Returns the rule for a whole number that fits 64 bits. */
  public static Rule<Long> integer() {
    return WHOLE;
  }

  public static Rule<Long> integerAtLeast(long least) {
    return integer(least, Long.MAX_VALUE);
  }

  public static Rule<Long> integer(long least, long most) {
    String range =
        most == Long.MAX_VALUE ? "of at least " + least : "from " + least + " to " + most;
    String allowed = "must be a whole number " + range;
    return (given, context) -> {
      OptionalLong number = wholeOf(given);
      if (number.isPresent() && number.getAsLong() >= least && number.getAsLong() <= most) {
        return number.getAsLong();
      }
      context.reject(allowed, given);
      return null;
    };
  }

  /** Returns the rule for a string that is not empty. */
  public static Rule<String> text() {
    return text(1, Integer.MAX_VALUE);
  }

  /**
   * Returns the rule for a string of 1 to {@value #NAME_CHARS} characters that is split, compared
   * with many others, or shown: one that is too long is refused before it is decoded.
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
  public static Rule<String> textUpTo(int most) {
    return text(0, most);
  }

  public static Rule<String> text(int least, int most) {
    Rule<Json.Str> string = string(least, most);
    return (given, context) -> {
      Json.Str str = string.read(given, context);
      return str == null ? null : str.text();
    };
  }

  /** Returns a rule like {@link #text(int, int)} that keeps the string undecoded. */
  public static Rule<Json.Str> string(int least, int most) {
    String allowed = "must be a string" + range(least, most);
    return (given, context) -> {
      if (given instanceof Json.Str str && reaches(str, least) && fits(str, most)) {
        return str;
      }
      context.reject(allowed, given);
      return null;
    };
  }

  private static String range(int least, int most) {
    if (most == Integer.MAX_VALUE) {
      return least == 0 ? "" : least == 1 ? ", not empty" : " of at least " + least + " characters";
    }
    return " of " + (least == 0 ? "at most " : least + " to ") + most + " characters";
  }

  /** Returns the rule for a string that is one of these words. */
  public static Rule<String> wordAmong(String... words) {
    return wordAmong(List.of(words));
  }

  /** Returns the rule for a string that is one of these words. */
  public static Rule<String> wordAmong(List<String> words) {
    String[] known = words.toArray(new String[0]);
    String allowed = "must be " + (known.length == 1 ? "" : "one of ") + String.join(", ", known);
    return (given, context) -> {
      String word = given instanceof Json.Str str ? wordOf(str, known) : null;
      if (word == null) {
        context.reject(allowed, given);
      }
      return word;
    };
  }

  /** Returns the word that a string spells, without decoding it; null when there is none. */
  private static @Nullable String wordOf(Json.Str written, String[] words) {
    for (String word : words) {
      if (written.is(word)) {
        return word;
      }
    }
    return null;
  }

  /**
   * Returns the rule for a string of at most 1,024 characters that a pattern matches entirely.
   *
   * @param allowed the message for others: {@code must be 1 to 64 of A-Z a-z 0-9 _ -}
   */
  public static Rule<String> matching(Pattern pattern, String allowed) {
    return (given, context) -> {
      if (given instanceof Json.Str str
          && canFit(str, MAX_MATCHED)
          && pattern.matcher(str.text()).matches()) {
        return str.text();
      }
      context.reject(allowed, given);
      return null;
    };
  }

  /** Returns the rule for an array of items; wrong ones are reported and left out of the value. */
  public static <T> Rule<List<T>> list(Rule<T> item) {
    return list(item, 0, Integer.MAX_VALUE);
  }

  /** Returns the rule for an array with a number of items in this range. */
  public static <T> Rule<List<T>> list(Rule<T> item, int least, int most) {
    return (given, context) -> {
      Json.Arr array = sized(given, context, least, most);
      if (array == null || array.isEmpty()) {
        return array == null ? null : List.of();
      }
      var good = new ArrayList<T>(array.size());
      for (int i = 0; i < array.size(); i++) {
        context.enter(i);
        T read = item.read(array.get(i), context);
        context.leave();
        if (read != null) {
          good.add(read);
        }
      }
      return good;
    };
  }

  /** Returns the rule for an array of items that is kept in its JSON form. */
  public static Rule<Json.Arr> items(Rule<?> item) {
    return items(item, 0, Integer.MAX_VALUE);
  }

  /** Returns the rule for an array with a number of items in this range, kept as JSON. */
  public static Rule<Json.Arr> items(Rule<?> item, int least, int most) {
    return (given, context) -> {
      Json.Arr array = sized(given, context, least, most);
      for (int i = 0; array != null && i < array.size(); i++) {
        context.enter(i);
        item.read(array.get(i), context);
        context.leave();
      }
      return array;
    };
  }

  private static Json.@Nullable Arr sized(
      Json given, DecodingContext context, int least, int most) {
    Json.Arr array = ARRAY.read(given, context);
    if (array != null && (array.size() < least || array.size() > most)) {
      String range =
          most == Integer.MAX_VALUE
              ? "at least " + least
              : least == 0 ? "at most " + most : least + " to " + most;
      context.reject("must have " + range + (range.endsWith(" 1") ? " item" : " items"), array);
      return array.size() > most ? null : array;
    }
    return array;
  }

  /** Returns the rule for an object whose values all follow a rule, whatever their names. */
  public static Rule<Json.Obj> map(Rule<?> value) {
    return (given, context) -> {
      Json.Obj object = OBJECT.read(given, context);
      for (int i = 0; object != null && i < object.size(); i++) {
        context.enter(object.name(i));
        value.read(object.value(i), context);
        context.leave();
      }
      return object;
    };
  }

  /** Returns whether a string has at most this many characters; decodes it only if necessary. */
  static boolean fits(Json.Str str, int most) {
    return str.utf8Bound() <= most || canFit(str, most) && fits(str.text(), most);
  }

  /**
   * Returns false when a string has more bytes than so many characters can have, even if all of
   * them are escaped.
   */
  private static boolean canFit(Json.Str str, int most) {
    return str.utf8Bound() <= (long) most * MAX_BYTES_PER_CHAR;
  }

  private static boolean reaches(Json.Str str, int least) {
    return least <= 1 ? least == 0 || !str.isEmpty() : count(str.text()) >= least;
  }

  public static boolean fits(String text, int most) {
    return text.length() <= most || count(text) <= most;
  }

  private static int count(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Returns the value of a number; null for anything else, and for exponents out of range. */
  public static @Nullable BigDecimal decimal(Json given) {
    try {
      return given instanceof Json.Num num ? num.decimal() : null;
    } catch (NumberFormatException beyondAllMeasure) {
      return null;
    }
  }

  private static OptionalLong wholeOf(Json given) {
    return given instanceof Json.Num num ? num.asLong() : OptionalLong.empty();
  }
}
