package io.strowger.core.decisionlog;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The members of an object in a log; a member of an unexpected form is rejected. */
record LogDocument(Json.Obj members) {
  static LogDocument of(@Nullable Json value, String name) {
    if (value instanceof Json.Obj object) {
      return new LogDocument(object);
    }
    throw unexpectedForm(name);
  }

  String text(String name) {
    String text = members.text(name);
    if (text == null) {
      throw unexpectedForm(name);
    }
    return text;
  }

  /** Returns the text of a member; null when the member is absent or null. */
  @Nullable String textOrNull(String name) {
    return isAbsent(name) ? null : text(name);
  }

  long number(String name) {
    return number(members.get(name), name).asLong().orElseThrow(() -> unexpectedForm(name));
  }

  long number(String name, long defaultValue) {
    return isAbsent(name) ? defaultValue : number(name);
  }

  int intNumber(String name) {
    long number = number(name);
    if (number != (int) number) {
      throw unexpectedForm(name);
    }
    return (int) number;
  }

  int intNumber(String name, int defaultValue) {
    return isAbsent(name) ? defaultValue : intNumber(name);
  }

  double fraction(String name) {
    return number(members.get(name), name).decimal().doubleValue();
  }

  boolean flag(String name) {
    if (members.get(name) instanceof Json.Bool bool) {
      return bool.value();
    }
    throw unexpectedForm(name);
  }

  boolean isAbsent(String name) {
    Json value = members.get(name);
    return value == null || value instanceof Json.Null;
  }

  LogDocument object(String name) {
    return of(members.get(name), name);
  }

  List<String> texts(String name) {
    return items(
        name,
        item -> {
          if (item instanceof Json.Str text) {
            return text.text();
          }
          throw unexpectedForm(name);
        });
  }

  List<LogDocument> objects(String name) {
    return items(name, item -> of(item, name));
  }

  private <T> List<T> items(String name, Function<Json, T> reader) {
    Json.Arr items = members.list(name);
    if (items == null) {
      throw unexpectedForm(name);
    }
    var result = new ArrayList<T>(items.size());
    for (Json item : items) {
      result.add(reader.apply(item));
    }
    return result;
  }

  private static Json.Num number(@Nullable Json value, String name) {
    if (value instanceof Json.Num number) {
      return number;
    }
    throw unexpectedForm(name);
  }

  static IllegalArgumentException unexpectedForm(String name) {
    return new IllegalArgumentException("has an unexpected form at " + name);
  }
}
