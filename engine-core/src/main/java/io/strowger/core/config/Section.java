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
 * One object of the file, read member by member. An explicit null is treated as absent. A wrong
 * member is reported and then treated as absent, so that all problems are found; a member that was
 * not read is reported at the end as unknown.
 */
final class Section {
  private final Json.Obj given;
  private final Json.Obj value;
  private final JsonPointer at;
  private final Problems problems;
  private final BitSet taken = new BitSet();
  private final List<String> asked = new ArrayList<>();

  /**
   * @param given the object as written, whose values are shown in problems
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

  /** Returns whether a member is present and not null, valid or not. */
  boolean has(String name) {
    return given.get(name) instanceof Json json && !(json instanceof Json.Null);
  }

  /** Reports a problem with a member and shows its value as written. */
  void problem(String name, String allowed) {
    Json written = given.get(name);
    problems.add(at.child(name), allowed, written == null ? Json.NULL : written);
  }

  /** Reports a problem with a member without showing its value. */
  void hiddenProblem(String name, String allowed) {
    problems.add(at.child(name), allowed, "");
  }

  /** Reports a problem at a place below this object without showing the value. */
  void problemBelow(JsonPointer inside, String allowed) {
    problems.add(inside.under(at), allowed, "");
  }

  /** Returns whether no problem was found in this object so far. */
  boolean isSound() {
    return !problems.hasProblemUnder(at);
  }

  /** Reports a problem with an item of a list and shows it as written. */
  void itemProblem(String name, int item, String allowed) {
    Json written = given.list(name) instanceof Json.Arr raw ? raw.get(item) : Json.NULL;
    problems.add(at.child(name).child(item), allowed, written);
  }

  /** Returns a text member as it was written; null when it is not text. */
  @Nullable String written(String name) {
    return given.text(name);
  }

  /** Returns the names of all members, for an object with free names. */
  List<String> names() {
    var names = new ArrayList<String>();
    for (int i = 0; i < given.size(); i++) {
      names.add(given.name(i));
    }
    return names;
  }

  /** Reports a required member that is missing. */
  void require(String name) {
    if (!has(name)) {
      hiddenProblem(name, "is required");
    }
  }

  /** Shows only the type of the value, which may be a secret in the wrong place. */
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

  /** Reads an object member; an absent one is read as an empty object. */
  <T> T section(String name, Function<Section, T> reader) {
    Json json = take(name);
    if (json != null && !(json instanceof Json.Obj)) {
      wrongKind(at.child(name), "must be an object", json);
    }
    var body = json instanceof Json.Obj obj ? obj : Json.Obj.EMPTY;
    return new Section(json == null ? body : writtenObject(name), body, at.child(name), problems)
        .read(reader);
  }

  /** Reads an object member; returns null when it is absent. */
  <T> @Nullable T optionalSection(String name, Function<Section, T> reader) {
    if (!has(name)) {
      take(name);
      return null;
    }
    return section(name, reader);
  }

  /** Reads the objects of an array; the reader returns null to leave one out. */
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

  /** Reads this object and reports the members that were not read. */
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

  /** Reads a text that is not blank and has no control characters; null when absent or wrong. */
  @Nullable String text(String name) {
    return text(name, "must be text of 1 to 1000 characters", Scalars::isDisplayable);
  }

  String text(String name, String fallback) {
    String text = text(name);
    return text == null ? fallback : text;
  }

  /** Reads a text that passes a test; null when absent or wrong. */
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

  /** Reads a text that no problem shows; null when absent or wrong. */
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

  /** Reads the texts of an array that pass a test; null when the array is absent. */
  @Nullable List<String> texts(String name, String allowed, Predicate<String> test) {
    if (!has(name)) {
      take(name);
      return null;
    }
    var texts = new ArrayList<String>();
    eachText(name, allowed, test, (text, i) -> texts.add(text));
    return texts;
  }

  /** Passes each text of an array that passes the test to the consumer, with its index. */
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

  /** Reads an array of displayable texts; null when absent. */
  @Nullable List<String> texts(String name) {
    return texts(name, "must be text of 1 to 1000 characters", Scalars::isDisplayable);
  }

  /** Reads the meanings of the words in an array; null when the array is absent. */
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

  /** Reads the meaning of a word; null when absent or not one of the choices. */
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

  /** Reads a whole number in a range; null when absent or wrong. */
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

  /** Reads the whole numbers of an array that are in a range. */
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

  /** Reads a number in a range; null when absent or wrong. */
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

  /** Reads a share from 0.0001 to 1; null when absent or wrong. */
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

  /** Returns whether the member is an empty array. */
  boolean isEmptyList(String name) {
    return given.get(name) instanceof Json.Arr arr && arr.isEmpty();
  }

  /** Reads a time of day, {@code 930} or {@code "0930"}, as hours times 100 plus minutes. */
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
   * Reads an exact amount of dollars from 0; null when absent or wrong.
   *
   * @param decimals the most digits after the decimal point
   * @param numbers whether a JSON number is accepted as well as a string
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

  /** Reads an object whose members are checked elsewhere; empty when absent. */
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

  /** Returns this whole object, whose further members are checked elsewhere. */
  Json.Obj all() {
    taken.set(0, given.size());
    return value.detached();
  }
}
