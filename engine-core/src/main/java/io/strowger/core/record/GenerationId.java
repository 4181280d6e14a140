package io.strowger.core.record;

import java.time.Instant;
import java.util.HexFormat;

/**
 * Creates ids of generations: {@code gen-}, Unix seconds, {@code -}, 20 letters and digits; of
 * batches {@code gen-batch-}, Unix seconds, {@code -}, 20 hexadecimal digits. Open question 83.
 */
public final class GenerationId {
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final int RANDOM_DIGITS = 20;

  private GenerationId() {}

  /**
   * Returns the id for a request that is not part of a batch.
   *
   * @param high 64 random bits
   * @param low 64 more random bits
   */
  public static String of(Instant at, long high, long low) {
    var id = new StringBuilder(36).append("gen-").append(at.getEpochSecond()).append('-');
    long bits = high;
    for (int i = 0; i < RANDOM_DIGITS; i++) {
      if (i == RANDOM_DIGITS / 2) {
        bits = low;
      }
      id.append(DIGITS.charAt((int) Long.remainderUnsigned(bits, DIGITS.length())));
      bits = Long.divideUnsigned(bits, DIGITS.length());
    }
    return id.toString();
  }

  /**
   * Returns the id for a request of a batch.
   *
   * @param high 64 random bits
   * @param low random bits, of which 16 are used
   */
  public static String ofBatch(Instant at, long high, long low) {
    HexFormat hex = HexFormat.of();
    return "gen-batch-"
        + at.getEpochSecond()
        + '-'
        + hex.toHexDigits(high)
        + hex.toHexDigits((short) low);
  }
}
