package io.strowger.core.config;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One object of the file, read member by member. An explicit null counts as absent. What is wrong
 * is reported and read as if it were absent, so that reading goes on and finds the rest; a member
 * nobody asked for is reported at the end.
 */
final class Section {
  private final Json.Obj given;
  private final Json.Obj value;
  private final JsonPointer at;
  private final Problems problems;
  private final BitSet taken = new BitSet();
  private final List<String> asked = new ArrayList<>();

  /**
   * @param given the object as written, which is what problems show
   * @param value the same with variables replaced
   */
  Section(Json.Obj given, Json.Obj value, JsonPointer at, Problems problems) {
    this.given = given;
    this.value = value;
    this.at = at;
    this.problems = problems;
  }

  JsonPointer at(String name) {
    return at.child(name);
  }

  /** The member is there and not null, right or wrong. */
  boolean has(String name) {
    return given.get(name) instanceof Json json && !(json instanceof Json.Null);
  }

  /** Reports a member as it was written. */
  void problem(String name, String allowed) {
    Json written = given.get(name);
    problems.add(at.child(name), allowed, written == null ? Json.NULL : written);
  }

  /** Reports a member without a word of it. */
  void hiddenProblem(String name, String allowed) {
    problems.add(at.child(name), allowed, "");
  }

  /** Reports something inside without a word of it. */
  void problemBelow(JsonPointer inside, String allowed) {
    problems.add(inside.under(at), allowed, "");
  }

  /** Nothing wrong was found here yet. */
  boolean isSound() {
    return !problems.hasProblemUnder(at);
  }

  /** Reports an item of a list as it was written. */
  void itemProblem(String name, int item, String allowed) {
    Json written = given.list(name) instanceof Json.Arr raw ? raw.get(item) : Json.NULL;
    problems.add(at.child(name).child(item), allowed, written);
  }

  /** The member as it was written when it is text. */
  @Nullable String written(String name) {
    return given.text(name);
  }

  /** The members there are, for an object whose names are free. */
  List<String> names() {
    var names = new ArrayList<String>();
    for (int i = 0; i < given.size(); i++) {
      names.add(given.name(i));
    }
    return names;
  }

  /** Reports a required member that is not there. */
  void require(String name) {
    if (!has(name)) {
      hiddenProblem(name, "is required");
    }
  }

  /** Says what kind of value came, not which: it may be a secret in the wrong place. */
  private void wrongKind(JsonPointer place, String allowed, Json json) {
    problems.add(place, allowed, Scalars.kind(json));
  }

  private @Nullable Json take(String name) {
    asked.add(name);
    int i = given.indexOf(name);
    if (i < 0) {
      return null;
    }
    taken.set(i);
    Json json = value.value(i);
    return json instanceof Json.Null || json == Variables.MISSING ? null : json;
  }

  private Json.Obj writtenObject(String name) {
    Json.Obj written = given.object(name);
    return written == null ? Json.Obj.EMPTY : written;
  }

  /** The object as its reader makes it; an absent one is read as if it were empty. */
  <T> T section(String name, Function<Section, T> reader) {
    Json json = take(name);
    if (json != null && !(json instanceof Json.Obj)) {
      wrongKind(at.child(name), "must be an object", json);
    }
    var body = json instanceof Json.Obj obj ? obj : Json.Obj.EMPTY;
    return new Section(json == null ? body : writtenObject(name), body, at.child(name), problems)
        .read(reader);
  }

  /** The object as its reader makes it; null when it is absent. */
  <T> @Nullable T optionalSection(String name, Function<Section, T> reader) {
    if (!has(name)) {
      take(name);
      return null;
    }
    return section(name, reader);
  }

  /** The objects of an array as their reader makes them; the reader may leave one out. */
  <T> List<T> sections(String name, BiFunction<Section, Integer, @Nullable T> reader) {
    var read = new ArrayList<T>();
    Json.Arr items = array(name, "objects");
    for (int i = 0; i < items.size(); i++) {
      JsonPointer place = at.child(name).child(i);
      if (items.get(i) instanceof Json.Obj body
          && given.get(name) instanceof Json.Arr raw
          && raw.get(i) instanceof Json.Obj written) {
        int index = i;
        T item = new Section(written, body, place, problems).read(s -> reader.apply(s, index));
        if (item != null) {
          read.add(item);
        }
      } else {
        wrongKind(place, "must be an object", items.get(i));
      }
    }
    return read;
  }

  /** Reads this object and reports what was not asked for. */
  <T> T read(Function<Section, T> reader) {
    T read = reader.apply(this);
    for (int i = 0; i < given.size(); i++) {
      if (!taken.get(i)) {
        problems.add(
            at.child(given.name(i)),
            "is not a member here; those are " + String.join(", ", asked),
            "");
      }
    }
    return read;
  }

  private Json.Arr array(String name, String what) {
    return switch (take(name)) {
      case null -> Json.array();
      case Json.Arr arr -> arr;
      case Json json -> {
        wrongKind(at.child(name), "must be an array of " + what, json);
        yield Json.array();
      }
    };
  }

  /** Text that is not empty and has no control characters; null when absent or wrong. */
  @Nullable String text(String name) {
    return text(name, "must be text of 1 to 1000 characters", Scalars::isDisplayable);
  }

  String text(String name, String fallback) {
    String text = text(name);
    return text == null ? fallback : text;
  }

  /** Text that passes a test; null when absent or wrong. */
  @Nullable String text(String name, String allowed, Predicate<String> test) {
    return switch (take(name)) {
      case null -> null;
      case Json.Str str when test.test(str.text()) -> str.text();
      case Json json -> {
        problem(name, allowed);
        yield null;
      }
    };
  }

  /** Text that is not shown whatever is wrong with it; null when absent or wrong. */
  @Nullable String secret(String name, String allowed, Predicate<String> test) {
    return switch (take(name)) {
      case null -> null;
      case Json.Str str when test.test(str.text()) -> str.text();
      case Json json -> {
        hiddenProblem(name, allowed);
        yield null;
      }
    };
  }

  /** The texts of an array that pass; null when the array is absent. */
  @Nullable List<String> texts(String name, String allowed, Predicate<String> test) {
    if (!has(name)) {
      take(name);
      return null;
    }
    var texts = new ArrayList<String>();
    eachText(name, allowed, test, (text, i) -> texts.add(text));
    return texts;
  }

  /** Hands over the texts of an array that pass, each with its place in it. */
  void eachText(
      String name, String allowed, Predicate<String> test, ObjIntConsumer<String> consumer) {
    Json.Arr items = array(name, "strings");
    for (int i = 0; i < items.size(); i++) {
      Json item = items.get(i);
      if (item instanceof Json.Str str && item != Variables.MISSING && test.test(str.text())) {
        consumer.accept(str.text(), i);
      } else if (item != Variables.MISSING) {
        itemProblem(name, i, allowed);
      }
    }
  }

  /** Names as a list of them is usually written; null when absent. */
  @Nullable List<String> texts(String name) {
    return texts(name, "must be text of 1 to 1000 characters", Scalars::isDisplayable);
  }

  /** What the words of an array mean; null when the array is absent. */
  <E> @Nullable List<E> choices(String name, WordChoice<E> wordChoice) {
    var words = texts(name, wordChoice.allowed(), word -> wordChoice.meaning(word) != null);
    if (words == null) {
      return null;
    }
    var meanings = new ArrayList<E>();
    for (String word : words) {
      E meaning = wordChoice.meaning(word);
      if (meaning != null) {
        meanings.add(meaning);
      }
    }
    return meanings;
  }

  /** What a word means; null when absent or not one of them. */
  <E> @Nullable E choice(String name, WordChoice<E> wordChoice) {
    String word = text(name, wordChoice.allowed(), text -> wordChoice.meaning(text) != null);
    return word == null ? null : wordChoice.meaning(word);
  }

  boolean flag(String name, boolean fallback) {
    return switch (take(name)) {
      case null -> fallback;
      case Json.Bool bool -> bool.value();
      case Json json -> {
        problem(name, "must be true or false");
        yield fallback;
      }
    };
  }

  /** A whole number in a range; null when absent or wrong. */
  @Nullable Long whole(String name, long least, long most) {
    Json json = take(name);
    if (json == null) {
      return null;
    }
    if (json instanceof Json.Num num && num.spelling().length() <= 20) {
      var number = num.asLong();
      if (number.isPresent() && number.getAsLong() >= least && number.getAsLong() <= most) {
        return number.getAsLong();
      }
    }
    problem(name, "must be a whole number from " + least + " to " + most);
    return null;
  }

  long whole(String name, long least, long most, long fallback) {
    Long number = whole(name, least, most);
    return number == null ? fallback : number;
  }

  int whole(String name, int least, int most, int fallback) {
    return Math.toIntExact(whole(name, (long) least, most, fallback));
  }

  /** The whole numbers of an array that are in a range. */
  List<Integer> wholes(String name, int least, int most) {
    var numbers = new ArrayList<Integer>();
    Json.Arr items = array(name, "whole numbers");
    for (int i = 0; i < items.size(); i++) {
      long number =
          items.get(i) instanceof Json.Num num && num.spelling().length() <= 20
              ? num.asLong().orElse(Long.MIN_VALUE)
              : Long.MIN_VALUE;
      if (number >= least && number <= most) {
        numbers.add((int) number);
      } else {
        itemProblem(name, i, "must be a whole number from " + least + " to " + most);
      }
    }
    return numbers;
  }

  /** A number in a range; null when absent or wrong. */
  @Nullable Double number(String name, int least, int most) {
    Json json = take(name);
    if (json == null) {
      return null;
    }
    if (json instanceof Json.Num num && num.spelling().length() <= 40) {
      double number = Double.parseDouble(num.spelling());
      if (number >= least && number <= most) {
        return number;
      }
    }
    problem(name, "must be a number from " + least + " to " + most);
    return null;
  }

  /** A share above 0 and up to 1; null when absent or wrong. */
  @Nullable Double rate(String name) {
    Double rate = number(name, 0, 1);
    if (rate != null && rate < 0.0001) {
      problem(name, "must be a number from 0.0001 to 1");
      return null;
    }
    return rate;
  }

  /** Checks that a member is text, a number or a boolean. */
  void scalar(String name) {
    Json json = take(name);
    if (json instanceof Json.Obj || json instanceof Json.Arr) {
      problem(name, "must be text, a number or a boolean");
    }
  }

  /** The member is an array, and nothing is in it. */
  boolean isEmptyList(String name) {
    return given.get(name) instanceof Json.Arr arr && arr.isEmpty();
  }

  /** A time of day as {@code 930} or {@code "0930"}, in hundreds of hours and minutes. */
  @Nullable Integer clock(String name) {
    Json json = take(name);
    if (json == null) {
      return null;
    }
    Integer clock = Scalars.timeOfDay(json);
    if (clock != null) {
      return clock;
    }
    problem(name, "must be a time of day as HHMM, 0000 to 2359");
    return null;
  }

  /**
   * An amount of dollars from 0, exact; null when absent or wrong.
   *
   * @param decimals most digits behind the point
   * @param numbers a JSON number will do as well as a string
   */
  @Nullable BigDecimal dollars(String name, int decimals, long most, boolean numbers) {
    Json json = take(name);
    if (json == null) {
      return null;
    }
    BigDecimal dollars = Scalars.dollars(json, decimals, most, numbers);
    if (dollars != null) {
      return dollars;
    }
    String kind = numbers ? "a decimal" : "a decimal string";
    problem(
        name, "must be " + kind + " from 0 to " + most + " with at most " + decimals + " decimals");
    return null;
  }

  /** An object whose members are somebody else's business. */
  Json.Obj free(String name) {
    return switch (take(name)) {
      case null -> Json.Obj.EMPTY;
      case Json.Obj obj -> obj.detached();
      case Json json -> {
        wrongKind(at.child(name), "must be an object", json);
        yield Json.Obj.EMPTY;
      }
    };
  }

  /** This object, whose further members are somebody else's business. */
  Json.Obj all() {
    taken.set(0, given.size());
    return value.detached();
  }
}
