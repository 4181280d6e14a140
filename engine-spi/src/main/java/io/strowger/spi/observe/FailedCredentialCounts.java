package io.strowger.spi.observe;

/**
 * How many requests came with a wrong credential since the gateway was built.
 *
 * @param failed requests whose credential was wrong, of clients whose address is known
 * @param delayed those of them whose answer was held back
 * @param refused requests answered 429
 * @param waiting answers that are held back now
 * @param networks clients that are remembered now
 */
public record FailedCredentialCounts(
    long failed, long delayed, long refused, int waiting, long networks) {
  /** Nothing was counted. */
  public static final FailedCredentialCounts NOTHING = new FailedCredentialCounts(0, 0, 0, 0, 0);
}
