package io.strowger.core.resource;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Moments as the contract writes them: RFC 3339 in UTC, with seconds. Contract: "POST /keys". The
 * letters are upper case and the zone is {@code Z}, also where RFC 3339 would allow {@code z} or
 * {@code +00:00}; there are no leap seconds, as in every clock the engine reads.
 */
public final class Timestamps {
  /** Describes a valid timestamp, as the rest of a sentence. */
  public static final String ALLOWED =
      "must be a UTC time with seconds as YYYY-MM-DDTHH:MM:SSZ, fractional seconds allowed";

  private static final Pattern FORM =
      Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\\.[0-9]{1,30})?Z");

  /** The most characters of a fraction: a point and the nine digits of nanoseconds. */
  private static final int MAX_FRACTION = 10;

  private Timestamps() {}

  /**
   * Parses a moment; digits beyond nanoseconds are cut.
   *
   * @return the moment; null when the form is wrong, or there is no such day or hour
   */
  public static @Nullable Instant parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    String allDigits = Objects.requireNonNullElse(parts.group(2), "");
    String fraction = allDigits.substring(0, Math.min(allDigits.length(), MAX_FRACTION));
    try {
      return LocalDateTime.parse(parts.group(1) + fraction).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /**
   * Writes a moment. It has microseconds at most, as the database keeps them and as clients read
   * them; a whole second has no fraction.
   */
  public static String format(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).toString();
  }
}
