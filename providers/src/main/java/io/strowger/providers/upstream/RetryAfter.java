package io.strowger.providers.upstream;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Transport;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Reads how long an upstream asks to wait, in the different forms that upstreams use. */
final class RetryAfter {
  static final long NOT_SAID = -1;
  private static final int LONGEST_NUMBER = 12;

  private RetryAfter() {}

  /** Returns whole seconds, rounded up, at least 0; {@link #NOT_SAID} when absent or malformed. */
  static long seconds(Transport.Response response, Ambient ambient) {
    String millis = response.header("retry-after-ms");
    if (millis != null) {
      long exact = number(millis, -3);
      if (exact >= 0) {
        return exact;
      }
    }
    String said = response.header("retry-after");
    if (said == null) {
      return NOT_SAID;
    }
    long seconds = number(said, 0);
    return seconds >= 0 ? seconds : date(said, ambient);
  }

  /** Reads a duration of a body, such as {@code 34.07s}; the result is as for the header. */
  static long seconds(@Nullable String delay) {
    return delay != null && delay.endsWith("s")
        ? number(delay.substring(0, delay.length() - 1), 0)
        : NOT_SAID;
  }

  private static long number(String text, int scale) {
    String trimmed = text.strip();
    if (trimmed.length() > LONGEST_NUMBER) {
      return NOT_SAID;
    }
    try {
      BigDecimal value = new BigDecimal(trimmed).scaleByPowerOfTen(scale);
      // rounding would write out an exponent of nine digits
      return value.signum() < 0
              || value.scale() > LONGEST_NUMBER
              || value.precision() - value.scale() > LONGEST_NUMBER
          ? NOT_SAID
          : value.setScale(0, RoundingMode.CEILING).longValueExact();
    } catch (NumberFormatException | ArithmeticException notANumber) {
      return NOT_SAID;
    }
  }

  private static long date(String text, Ambient ambient) {
    try {
      Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip()));
      Duration left = Duration.between(ambient.now(), until);
      return left.isNegative() ? 0 : left.plusNanos(999_999_999).toSeconds();
    } catch (DateTimeException | ArithmeticException notADate) {
      return NOT_SAID;
    }
  }
}
