package io.strowger.core.resource;

import io.strowger.core.decode.Rules;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rule for one value of a query parameter.
 *
 * @param allowed describes valid values, as the rest of a sentence
 * @param parser parses a value; returns null when it is not allowed
 */
record QueryParameter<T>(String allowed, Function<String, @Nullable T> parser) {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,18}(?:\\.[0-9]{1,18})?");

  /** Text that is not empty and not longer than any name. */
  static final QueryParameter<String> TEXT =
      new QueryParameter<>(
          "must have 1 to " + Rules.NAME_CHARS + " characters",
          text -> text.isEmpty() || text.length() > Rules.NAME_CHARS ? null : text);

  static final QueryParameter<Boolean> FLAG =
      new QueryParameter<>(
          "must be true or false",
          text ->
              switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> null;
              });

  /** A decimal amount of at least 0. */
  static final QueryParameter<BigDecimal> AMOUNT =
      new QueryParameter<>(
          "must be a decimal number of at least 0",
          text -> DECIMAL.matcher(text).matches() ? new BigDecimal(text) : null);

  /**
   * A moment: Unix seconds, as batches use, or a UTC timestamp, as the rest of the contract uses.
   */
  static final QueryParameter<Instant> INSTANT =
      new QueryParameter<>(
          "must be Unix seconds or a UTC time as YYYY-MM-DDTHH:MM:SSZ",
          QueryParameter::parseInstant);

  /** A comma-separated list of words, none of them empty. */
  static final QueryParameter<List<String>> WORDS =
      new QueryParameter<>("must be words separated by commas", QueryParameter::parseWords);

  private static final int MAX_WORDS_CHARS = 1024;

  static QueryParameter<Long> integer(long min, long max) {
    String range = max == Long.MAX_VALUE ? "of at least " + min : "from " + min + " to " + max;
    return new QueryParameter<>(
        "must be a whole number " + range,
        text -> {
          Long number = DIGITS.matcher(text).matches() ? Long.valueOf(text) : null;
          return number == null || number < min || number > max ? null : number;
        });
  }

  static QueryParameter<String> word(String... words) {
    List<String> allowedWords = List.of(words);
    return new QueryParameter<>(
        "must be one of " + String.join(", ", allowedWords),
        text -> allowedWords.contains(text) ? text : null);
  }

  private static @Nullable Instant parseInstant(String text) {
    if (!DIGITS.matcher(text).matches()) {
      return Timestamps.parse(text);
    }
    try {
      return Instant.ofEpochSecond(Long.parseLong(text));
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static @Nullable List<String> parseWords(String text) {
    if (text.length() > MAX_WORDS_CHARS) {
      return null;
    }
    List<String> words = List.of(text.split(",", -1));
    return words.contains("") ? null : words;
  }
}
