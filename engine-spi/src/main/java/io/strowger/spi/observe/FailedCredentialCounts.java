package io.strowger.spi.observe;

/**
 * How many requests came with a wrong credential since the gateway was built.
 *
 * @param failed requests whose credential was wrong, of clients whose address is known
 * @param delayed how many of their answers were held back
 * @param refused requests answered 429
 * @param waiting answers that are held back now
 * @param networks client networks that are remembered now
 */
public record FailedCredentialCounts(
    long failed, long delayed, long refused, int waiting, long networks) {
  /** All counts are zero. */
  public static final FailedCredentialCounts ZERO = new FailedCredentialCounts(0, 0, 0, 0, 0);
}
