package io.strowger.core.config;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@code ${NAME}} with the environment variable, once: the value of a variable is taken
 * literally. Names of members are not changed.
 */
record Variables(Function<String, @Nullable String> environment, Problems problems) {
  /** Replaces a string that names a missing variable; compared by identity. */
  static final Json.Str MISSING = Json.of("");

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)(}?)");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+");

  /** Returns the value with every variable replaced; the same object when it has none. */
  Json expand(Json value, JsonPointer at) {
    return switch (value) {
      case Json.Obj obj -> object(obj, at);
      case Json.Arr arr -> array(arr, at);
      case Json.Str str -> string(str, at);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  private Json.Obj object(Json.Obj obj, JsonPointer at) {
    var expanded = Json.object();
    boolean changed = false;
    for (int i = 0; i < obj.size(); i++) {
      Json member = expand(obj.value(i), at.child(obj.name(i)));
      changed |= member != obj.value(i);
      expanded.put(obj.name(i), member);
    }
    return changed ? expanded.build() : obj;
  }

  private Json.Arr array(Json.Arr arr, JsonPointer at) {
    var expanded = new Json[arr.size()];
    boolean changed = false;
    for (int i = 0; i < expanded.length; i++) {
      expanded[i] = expand(arr.get(i), at.child(i));
      changed |= expanded[i] != arr.get(i);
    }
    return changed ? Json.array(expanded) : arr;
  }

  private Json.Str string(Json.Str str, JsonPointer at) {
    String text = str.text();
    if (!text.contains("${")) {
      return str;
    }
    Matcher reference = REFERENCE.matcher(text);
    var out = new StringBuilder();
    boolean complete = true;
    while (reference.find()) {
      @Nullable String value = value(reference, at);
      complete &= value != null;
      reference.appendReplacement(out, Matcher.quoteReplacement(value == null ? "" : value));
    }
    return complete ? Json.of(reference.appendTail(out).toString()) : MISSING;
  }

  private @Nullable String value(Matcher reference, JsonPointer at) {
    String name = reference.group(1);
    if (reference.group(2).isEmpty() || !NAME.matcher(name).matches()) {
      problems.add(at, "must name a variable as ${NAME}, in letters, digits and _", "");
      return null;
    }
    String value = environment.apply(name);
    if (value == null) {
      problems.add(at, "needs the environment variable " + name + ", which is not set", "");
    }
    return value;
  }
}
