package io.strowger.core.config;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses single values of a configuration. The result is null for a value of another form. */
final class Scalars {
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?");
  private static final Pattern CLOCK = Pattern.compile("[0-9]{1,4}");

  private Scalars() {}

  /** Returns whether a text can be shown: not blank, not long, no control characters. */
  static boolean isDisplayable(String text) {
    return !text.isBlank()
        && text.length() <= 1000
        && text.chars().noneMatch(Character::isISOControl);
  }

  /** Returns the JSON type, for the end of a sentence. */
  static String kind(Json json) {
    return switch (json) {
      case Json.Obj obj -> "an object";
      case Json.Arr arr -> "an array";
      case Json.Str str -> "a string";
      case Json.Num num -> "a number";
      case Json.Bool bool -> "a boolean";
      case Json.Null none -> "null";
    };
  }

  /** Parses dollars from 0, exactly. The pattern is checked first, which bounds the memory. */
  static @Nullable BigDecimal dollars(Json json, int decimals, long max, boolean allowNumbers) {
    String spelling =
        switch (json) {
          case Json.Str str -> str.text();
          case Json.Num num when allowNumbers -> num.spelling();
          case Json other -> "";
        };
    if (!DECIMAL.matcher(spelling).matches()) {
      return null;
    }
    BigDecimal dollars = new BigDecimal(spelling);
    boolean inRange = dollars.signum() >= 0 && dollars.compareTo(BigDecimal.valueOf(max)) <= 0;
    return inRange && dollars.stripTrailingZeros().scale() <= decimals ? dollars : null;
  }

  /** Parses a time of day as {@code 930} or {@code "0930"}: hours times 100 plus minutes. */
  static @Nullable Integer timeOfDay(Json json) {
    String digits =
        switch (json) {
          case Json.Num num -> num.spelling();
          case Json.Str str when str.text().length() == 4 -> str.text();
          case Json other -> "";
        };
    if (!CLOCK.matcher(digits).matches()) {
      return null;
    }
    int clock = Integer.parseInt(digits);
    return clock / 100 < 24 && clock % 100 < 60 ? clock : null;
  }
}
