package io.strowger.host.show;

import java.util.Locale;

/** Formats counted things in English. */
public final class Quantity {
  private Quantity() {}

  /**
   * Returns a number and what it counts, such as {@code 1 decision} or {@code 2,000 decisions}.
   *
   * @param singular a noun whose plural ends in s
   */
  public static String of(long number, String singular) {
    return String.format(Locale.ROOT, "%,d %s%s", number, singular, number == 1 ? "" : "s");
  }
}
