package io.strowger.stores.ledger;

import io.strowger.spi.store.Period;
import java.time.Instant;

/** Tells from a window's name whether it is over. */
final class WindowExpiry {
  private WindowExpiry() {}

  /** Whether nothing more can be spent in it. */
  static boolean isOver(String window, Instant now) {
    for (Period period : Period.values()) {
      String current = period.window(now);
      if (isSameSort(current, window)) {
        return window.compareTo(current) < 0;
      }
    }
    return false;
  }

  /** Names of one period are equally long and differ in digits only. */
  private static boolean isSameSort(String current, String window) {
    if (current.length() != window.length()) {
      return false;
    }
    for (int i = 0; i < current.length(); i++) {
      char a = current.charAt(i);
      char b = window.charAt(i);
      if (a != b && !(Character.isDigit(a) && Character.isDigit(b))) {
        return false;
      }
    }
    return true;
  }
}
