package io.strowger.core.config;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
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
  private final Json.Obj rawObject;
  private final Json.Obj object;
  private final JsonPointer pointer;
  private final Problems problems;
  private final BitSet readMembers = new BitSet();
  private final List<String> knownNames = new ArrayList<>();

  /**
   * @param rawObject the object as written, whose values are shown in problems
   * @param object the same with variables replaced
   */
  Section(Json.Obj rawObject, Json.Obj object, JsonPointer pointer, Problems problems) {
    this.rawObject = rawObject;
    this.object = object;
    this.pointer = pointer;
    this.problems = problems;
  }

  JsonPointer pointerTo(String name) {
    return pointer.child(name);
  }

  /** Returns whether a member is present and not null, valid or not. */
  boolean has(String name) {
    return rawObject.get(name) instanceof Json json && !(json instanceof Json.Null);
  }

  /** Reports a problem with a member and shows its value as written. */
  void problem(String name, String allowed) {
    Json rawValue = rawObject.get(name);
    problems.add(pointer.child(name), allowed, rawValue == null ? Json.NULL : rawValue);
  }

  /** Reports a problem with a member without showing its value. */
  void problemWithoutValue(String name, String allowed) {
    problems.add(pointer.child(name), allowed, "");
  }

  /** Reports a problem at a place below this object without showing the value. */
  void problemBelow(JsonPointer inside, String allowed) {
    problems.add(inside.prefixedWith(pointer), allowed, "");
  }

  /** Returns whether no problem was found in this object so far. */
  boolean isValid() {
    return !problems.hasProblemUnder(pointer);
  }

  /** Reports a problem with an item of a list and shows it as written. */
  void itemProblem(String name, int item, String allowed) {
    Json rawValue = rawObject.list(name) instanceof Json.Arr raw ? raw.get(item) : Json.NULL;
    problems.add(pointer.child(name).child(item), allowed, rawValue);
  }

  /** Returns a text member as it was written; null when it is not text. */
  @Nullable String rawText(String name) {
    return rawObject.text(name);
  }

  /** Returns the names of all members, for an object whose names are not fixed. */
  List<String> names() {
    var names = new ArrayList<String>();
    for (int i = 0; i < rawObject.size(); i++) {
      names.add(rawObject.name(i));
    }
    return names;
  }

  /** Reports a required member that is missing. */
  void require(String name) {
    if (!has(name)) {
      problemWithoutValue(name, "is required");
    }
  }

  /** Reports a value of the wrong type. Shows only the type, since the value may be a secret. */
  private void typeProblem(JsonPointer place, String allowed, Json json) {
    problems.add(place, allowed, Scalars.kind(json));
  }

  private @Nullable Json takeMember(String name) {
    knownNames.add(name);
    int i = rawObject.indexOf(name);
    if (i < 0) {
      return null;
    }
    readMembers.set(i);
    Json json = object.value(i);
    return json instanceof Json.Null || json == Variables.MISSING ? null : json;
  }

  private Json.Obj rawMember(String name) {
    Json.Obj rawValue = rawObject.object(name);
    return rawValue == null ? Json.Obj.EMPTY : rawValue;
  }

  /** Reads an object member; an absent one is read as an empty object. */
  <T> T section(String name, Function<Section, T> reader) {
    Json json = takeMember(name);
    if (json != null && !(json instanceof Json.Obj)) {
      typeProblem(pointer.child(name), "must be an object", json);
    }
    var body = json instanceof Json.Obj obj ? obj : Json.Obj.EMPTY;
    return new Section(json == null ? body : rawMember(name), body, pointer.child(name), problems)
        .read(reader);
  }

  /** Reads an object member; returns null when it is absent. */
  <T> @Nullable T optionalSection(String name, Function<Section, T> reader) {
    if (!has(name)) {
      takeMember(name);
      return null;
    }
    return section(name, reader);
  }

  /** Reads the objects of an array; the reader returns null to leave one out. */
  <T> List<T> sections(String name, BiFunction<Section, Integer, @Nullable T> reader) {
    var results = new ArrayList<T>();
    Json.Arr items = array(name, "objects");
    for (int i = 0; i < items.size(); i++) {
      JsonPointer place = pointer.child(name).child(i);
      if (items.get(i) instanceof Json.Obj body
          && rawObject.get(name) instanceof Json.Arr raw
          && raw.get(i) instanceof Json.Obj written) {
        int index = i;
        T item = new Section(written, body, place, problems).read(s -> reader.apply(s, index));
        if (item != null) {
          results.add(item);
        }
      } else {
        typeProblem(place, "must be an object", items.get(i));
      }
    }
    return results;
  }

  /** Reads this object and reports the members that were not read. */
  <T> T read(Function<Section, T> reader) {
    T result = reader.apply(this);
    for (int i = 0; i < rawObject.size(); i++) {
      if (!readMembers.get(i)) {
        problems.add(
            pointer.child(rawObject.name(i)),
            "is not a member here; allowed: " + String.join(", ", knownNames),
            "");
      }
    }
    return result;
  }

  private Json.Arr array(String name, String itemType) {
    return switch (takeMember(name)) {
      case null -> Json.array();
      case Json.Arr arr -> arr;
      case Json json -> {
        typeProblem(pointer.child(name), "must be an array of " + itemType, json);
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
    return text(name, test, () -> problem(name, allowed));
  }

  private @Nullable String text(String name, Predicate<String> test, Runnable addProblem) {
    return switch (takeMember(name)) {
      case null -> null;
      case Json.Str str when test.test(str.text()) -> str.text();
      case Json json -> {
        addProblem.run();
        yield null;
      }
    };
  }

  /** Reads a text that no problem shows; null when absent or wrong. */
  @Nullable String secret(String name, String allowed, Predicate<String> test) {
    return text(name, test, () -> problemWithoutValue(name, allowed));
  }

  /** Reads the texts of an array that pass a test; null when the array is absent. */
  @Nullable List<String> texts(String name, String allowed, Predicate<String> test) {
    if (!has(name)) {
      takeMember(name);
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

  /** Reads the addresses and CIDR blocks of an array; those that are neither are left out. */
  List<IpNetwork> networks(String name) {
    var networks = new ArrayList<IpNetwork>();
    eachText(
        name,
        "must be an IP address, or a CIDR block such as 10.0.0.0/8",
        text -> IpNetwork.parse(text) != null,
        (text, i) -> networks.add(Objects.requireNonNull(IpNetwork.parse(text))));
    return networks;
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
    return switch (takeMember(name)) {
      case null -> fallback;
      case Json.Bool bool -> bool.value();
      case Json json -> {
        problem(name, "must be true or false");
        yield fallback;
      }
    };
  }

  /** Reads a whole number in a range; null when absent or wrong. */
  @Nullable Long wholeNumber(String name, long min, long max) {
    Json json = takeMember(name);
    if (json == null) {
      return null;
    }
    if (json instanceof Json.Num num && num.spelling().length() <= 20) {
      var number = num.asLong();
      if (number.isPresent() && number.getAsLong() >= min && number.getAsLong() <= max) {
        return number.getAsLong();
      }
    }
    problem(name, "must be a whole number from " + min + " to " + max);
    return null;
  }

  long wholeNumber(String name, long min, long max, long fallback) {
    Long number = wholeNumber(name, min, max);
    return number == null ? fallback : number;
  }

  int wholeNumber(String name, int min, int max, int fallback) {
    return Math.toIntExact(wholeNumber(name, (long) min, max, fallback));
  }

  /** Reads the whole numbers of an array that are in a range. */
  List<Integer> wholeNumbers(String name, int min, int max) {
    var numbers = new ArrayList<Integer>();
    Json.Arr items = array(name, "whole numbers");
    for (int i = 0; i < items.size(); i++) {
      long number =
          items.get(i) instanceof Json.Num num && num.spelling().length() <= 20
              ? num.asLong().orElse(Long.MIN_VALUE)
              : Long.MIN_VALUE;
      if (number >= min && number <= max) {
        numbers.add((int) number);
      } else {
        itemProblem(name, i, "must be a whole number from " + min + " to " + max);
      }
    }
    return numbers;
  }

  /** Reads a number in a range; null when absent or wrong. */
  @Nullable Double number(String name, int min, int max) {
    Json json = takeMember(name);
    if (json == null) {
      return null;
    }
    if (json instanceof Json.Num num && num.spelling().length() <= 40) {
      double number = Double.parseDouble(num.spelling());
      if (number >= min && number <= max) {
        return number;
      }
    }
    problem(name, "must be a number from " + min + " to " + max);
    return null;
  }

  /** Reads a share from 0.0001 to 1; null when absent or wrong. */
  @Nullable Double share(String name) {
    Double share = number(name, 0, 1);
    if (share != null && share < 0.0001) {
      problem(name, "must be a number from 0.0001 to 1");
      return null;
    }
    return share;
  }

  /** Checks that a member is text, a number or a boolean. */
  void scalar(String name) {
    Json json = takeMember(name);
    if (json instanceof Json.Obj || json instanceof Json.Arr) {
      problem(name, "must be text, a number or a boolean");
    }
  }

  /** Returns whether the member is an empty array. */
  boolean isEmptyList(String name) {
    return rawObject.get(name) instanceof Json.Arr arr && arr.isEmpty();
  }

  /** Reads a time of day, {@code 930} or {@code "0930"}, as hours times 100 plus minutes. */
  @Nullable Integer timeOfDay(String name) {
    Json json = takeMember(name);
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
   * @param allowNumbers whether a JSON number is accepted as well as a string
   */
  @Nullable BigDecimal dollars(String name, int decimals, long max, boolean allowNumbers) {
    Json json = takeMember(name);
    if (json == null) {
      return null;
    }
    BigDecimal dollars = Scalars.dollars(json, decimals, max, allowNumbers);
    if (dollars != null) {
      return dollars;
    }
    String kind = allowNumbers ? "a decimal" : "a decimal string";
    problem(
        name, "must be " + kind + " from 0 to " + max + " with at most " + decimals + " decimals");
    return null;
  }

  /** Reads an object whose members are checked elsewhere; empty when absent. */
  Json.Obj uncheckedObject(String name) {
    return switch (takeMember(name)) {
      case null -> Json.Obj.EMPTY;
      case Json.Obj obj -> obj.detached();
      case Json json -> {
        typeProblem(pointer.child(name), "must be an object", json);
        yield Json.Obj.EMPTY;
      }
    };
  }

  /** Returns this whole object, whose further members are checked elsewhere. */
  Json.Obj wholeObject() {
    readMembers.set(0, rawObject.size());
    return object.detached();
  }
}
