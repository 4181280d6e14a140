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

/** How long an upstream asks to wait, in the forms upstreams use. */
final class RetryAfter {
  static final long NOT_SAID = -1;
  private static final int LONGEST_NUMBER = 12;

  private RetryAfter() {}

  /**
   * Whole seconds, rounded up, at least 0; {@link #NOT_SAID} when it did not say or not clearly.
   */
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

  /** Of a length of time in a body, such as {@code 34.07s}; as the header otherwise. */
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
      // an exponent of nine digits would be written out to be rounded
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
