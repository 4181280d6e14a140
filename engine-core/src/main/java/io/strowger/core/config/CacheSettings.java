package io.strowger.core.config;

/**
 * The size limits of the response cache.
 *
 * @param entries most cached answers, 0 to 10,000,000; 0 turns the cache off
 * @param bytes approximate memory that all cached answers may take together, 1,000,000 to
 *     1,000,000,000,000 bytes
 */
public record CacheSettings(int entries, long bytes) {
  private static final long DEFAULT_BYTES = 64L << 20;

  static CacheSettings read(Section in) {
    return new CacheSettings(
        in.wholeNumber("entries", 0, 10_000_000, 10_000),
        in.wholeNumber("bytes", 1_000_000, 1_000_000_000_000L, DEFAULT_BYTES));
  }
}
