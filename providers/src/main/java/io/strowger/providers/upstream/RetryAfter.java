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
  static final long ABSENT = -1;
  private static final int MAX_DIGITS = 12;

  private RetryAfter() {}

  /** Returns whole seconds, rounded up, at least 0; {@link #ABSENT} when absent or malformed. */
  static long seconds(Transport.Response response, Ambient ambient) {
    String millis = response.header("retry-after-ms");
    if (millis != null) {
      long fromMillis = number(millis, -3);
      if (fromMillis >= 0) {
        return fromMillis;
      }
    }
    String value = response.header("retry-after");
    if (value == null) {
      return ABSENT;
    }
    long seconds = number(value, 0);
    return seconds >= 0 ? seconds : date(value, ambient);
  }

  /** Reads a duration of a body, such as {@code 34.07s}; the result is as for the header. */
  static long seconds(@Nullable String delay) {
    return delay != null && delay.endsWith("s")
        ? number(delay.substring(0, delay.length() - 1), 0)
        : ABSENT;
  }

  private static long number(String text, int scale) {
    String trimmed = text.strip();
    if (trimmed.length() > MAX_DIGITS) {
      return ABSENT;
    }
    try {
      BigDecimal value = new BigDecimal(trimmed).scaleByPowerOfTen(scale);
      // checked first: rounding a number with a huge exponent would write out all its digits
      return value.signum() < 0
              || value.scale() > MAX_DIGITS
              || value.precision() - value.scale() > MAX_DIGITS
          ? ABSENT
          : value.setScale(0, RoundingMode.CEILING).longValueExact();
    } catch (NumberFormatException | ArithmeticException notANumber) {
      return ABSENT;
    }
  }

  private static long date(String text, Ambient ambient) {
    try {
      Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip()));
      Duration delay = Duration.between(ambient.now(), until);
      return delay.isNegative() ? 0 : delay.plusNanos(999_999_999).toSeconds();
    } catch (DateTimeException | ArithmeticException notADate) {
      return ABSENT;
    }
  }
}
