package io.strowger.core.routing;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object of a recorded decision. Its methods reject a member that is missing or of an unexpected
 * form with an {@link IllegalArgumentException} that names it. The message is a predicate, such as
 * "has no member model", whose subject is the record; the reader of the record adds the subject.
 */
public record RecordedJson(Json.Obj members) {
  /** Returns the object that is the value of the named member. */
  public static RecordedJson of(@Nullable Json value, String name) {
    if (value instanceof Json.Obj object) {
      return new RecordedJson(object);
    }
    throw unusable(value, name);
  }

  public String text(String name) {
    String text = members.text(name);
    if (text == null) {
      throw unusable(members.get(name), name);
    }
    return text;
  }

  /** Returns the text of a member; null when the member is absent or null. */
  public @Nullable String optionalText(String name) {
    return isAbsent(name) ? null : text(name);
  }

  public long number(String name) {
    return wholeNumber(members.get(name), name);
  }

  public long number(String name, long defaultValue) {
    return isAbsent(name) ? defaultValue : number(name);
  }

  public int intNumber(String name) {
    long number = number(name);
    if (number != (int) number) {
      throw unexpectedForm(name);
    }
    return (int) number;
  }

  public int intNumber(String name, int defaultValue) {
    return isAbsent(name) ? defaultValue : intNumber(name);
  }

  public double fraction(String name) {
    return number(members.get(name), name).decimal().doubleValue();
  }

  public long[] numbers(String name) {
    return items(members.get(name), name, item -> wholeNumber(item, name)).stream()
        .mapToLong(Long::longValue)
        .toArray();
  }

  private static long wholeNumber(@Nullable Json value, String name) {
    return number(value, name).asLong().orElseThrow(() -> unexpectedForm(name));
  }

  private static Json.Num number(@Nullable Json value, String name) {
    if (value instanceof Json.Num number) {
      return number;
    }
    throw unusable(value, name);
  }

  public boolean flag(String name) {
    if (members.get(name) instanceof Json.Bool bool) {
      return bool.value();
    }
    throw unusable(members.get(name), name);
  }

  public boolean flag(String name, boolean defaultValue) {
    return isAbsent(name) ? defaultValue : flag(name);
  }

  public Instant instant(String name) {
    try {
      return Instant.parse(text(name));
    } catch (DateTimeParseException e) {
      throw unexpectedForm(name, e);
    }
  }

  /** Returns the constant that a member names in capital or small letters. */
  public <E extends Enum<E>> E constant(String name, Class<E> type) {
    String constant = text(name).toUpperCase(Locale.ROOT);
    try {
      return Enum.valueOf(type, constant);
    } catch (IllegalArgumentException e) {
      throw unexpectedForm(name, e);
    }
  }

  public boolean isAbsent(String name) {
    Json value = members.get(name);
    return value == null || value instanceof Json.Null;
  }

  /**
   * Returns what a reader makes of a member that may be null, but not absent.
   *
   * @param reader one of the methods of this object
   */
  public <T> @Nullable T orNull(String name, Function<String, T> reader) {
    return members.get(name) instanceof Json.Null ? null : reader.apply(name);
  }

  /** Returns what a reader makes of a member; null when the member is absent or null. */
  public <T> @Nullable T optional(String name, Function<String, T> reader) {
    return isAbsent(name) ? null : reader.apply(name);
  }

  public RecordedJson object(String name) {
    return of(members.get(name), name);
  }

  public List<String> texts(String name) {
    return texts(members.get(name), name);
  }

  public List<List<String>> lists(String name) {
    return items(members.get(name), name, item -> texts(item, name));
  }

  private static List<String> texts(@Nullable Json list, String name) {
    return items(
        list,
        name,
        item -> {
          if (item instanceof Json.Str text) {
            return text.text();
          }
          throw unexpectedForm(name);
        });
  }

  public List<RecordedJson> objects(String name) {
    return items(members.get(name), name, item -> of(item, name));
  }

  private static <T> List<T> items(@Nullable Json list, String name, Function<Json, T> reader) {
    if (!(list instanceof Json.Arr items)) {
      throw unusable(list, name);
    }
    var result = new ArrayList<T>(items.size());
    for (Json item : items) {
      result.add(reader.apply(item));
    }
    return result;
  }

  private static IllegalArgumentException unexpectedForm(String name, Exception cause) {
    IllegalArgumentException unexpected = unexpectedForm(name);
    unexpected.initCause(cause);
    return unexpected;
  }

  private static IllegalArgumentException unusable(@Nullable Json value, String name) {
    return value == null ? missing(name) : unexpectedForm(name);
  }

  /** Returns the exception for a member that is missing; its message is a predicate. */
  public static IllegalArgumentException missing(String name) {
    return new IllegalArgumentException("has no member " + name);
  }

  /** Returns the exception for a member that cannot be read; its message is a predicate. */
  public static IllegalArgumentException unexpectedForm(String name) {
    return new IllegalArgumentException("has a member " + name + " of an unexpected form");
  }
}
