package io.strowger.core.resource;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Moments as the contract writes them: RFC 3339 in UTC, with seconds. Contract: "POST /keys". The
 * letters are upper case and the zone is {@code Z}, also where RFC 3339 would let in {@code z} or
 * {@code +00:00}; there are no leap seconds, as in every clock the engine reads.
 */
public final class Timestamps {
  /** What is right, as the rest of a sentence. */
  public static final String ALLOWED =
      "must be a UTC time with seconds as YYYY-MM-DDTHH:MM:SSZ, fractional seconds allowed";

  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]{1,30}))?Z");
  private static final int NANO_DIGITS = 9;

  private Timestamps() {}

  /**
   * The moment; digits beyond nanoseconds are cut.
   *
   * @return null when it is not written so, or there is no such day or hour
   */
  public static @Nullable Instant parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    try {
      return LocalDateTime.of(
              part(parts, 1),
              part(parts, 2),
              part(parts, 3),
              part(parts, 4),
              part(parts, 5),
              part(parts, 6),
              nanos(parts.group(7)))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException noSuchMoment) {
      return null;
    }
  }

  /**
   * Writes a moment. It has microseconds at most, as the database keeps them and as clients read
   * them; a whole second has no fraction.
   */
  public static String text(Instant moment) {
    return moment.truncatedTo(ChronoUnit.MICROS).toString();
  }

  private static int part(Matcher parts, int group) {
    return Integer.parseInt(parts.group(group));
  }

  private static int nanos(@Nullable String fraction) {
    String digits = fraction == null ? "" : fraction;
    return Integer.parseInt((digits + "0".repeat(NANO_DIGITS)).substring(0, NANO_DIGITS));
  }
}
