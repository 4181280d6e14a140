package io.strowger.core.destination;

import io.strowger.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is made of digests: which sessions are sampled, and ids of spans. */
public final class Digests {
  private static final Pattern TRACE_ID = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern SPAN_ID = Pattern.compile("[0-9a-f]{16}");
  private static final long ODD = 0x9E3779B97F4A7C15L; // as in SplitMix64
  private static final long TRACE_HIGH = 0x243F6A8885A308D3L; // these three: digits of pi
  private static final long TRACE_LOW = 0x13198A2E03707344L;
  private static final long SPAN = 0xA4093822299F31D0L;
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  private Digests() {}

  /**
   * Returns where a session stands for a destination, as an unsigned number: evenly spread, and the
   * same each time. Open question 75.
   */
  static long position(String destination, String session) {
    return ByteBuffer.wrap(Sha256.of(destination + ":" + session)).getLong();
  }

  /**
   * Returns the id of a trace: the one the caller gives when it is one of OpenTelemetry or a UUID,
   * otherwise one that is always the same for what the caller gives.
   *
   * @param given {@code trace_id} of the request; null when it has none
   * @param generation id of the generation, which has a trace of its own then
   */
  public static String traceId(@Nullable String given, String generation) {
    if (given == null || given.isEmpty()) {
      return hex(generation, TRACE_HIGH) + hex(generation, TRACE_LOW);
    }
    String plain = given.replace("-", "").toLowerCase(Locale.ROOT);
    return TRACE_ID.matcher(plain).matches() && !isZero(plain)
        ? plain
        : HexFormat.of().formatHex(Sha256.of(given), 0, TRACE_BYTES);
  }

  /** Returns the id of the span of a generation. */
  public static String spanId(String generation) {
    return hex(generation, SPAN);
  }

  /**
   * Returns the id of the span that a caller names as the parent, as {@link #traceId}.
   *
   * @return null when the caller names none
   */
  public static @Nullable String parentSpanId(@Nullable String given) {
    if (given == null || given.isEmpty()) {
      return null;
    }
    String plain = given.toLowerCase(Locale.ROOT);
    return SPAN_ID.matcher(plain).matches() && !isZero(plain)
        ? plain
        : HexFormat.of().formatHex(Sha256.of(given), 0, SPAN_BYTES);
  }

  /**
   * Ids of generations are random and known to nobody beforehand, so that each call of a
   * destination need not pay for a digest of theirs.
   */
  private static String hex(String generation, long seed) {
    long mixed = seed;
    for (int i = 0; i < generation.length(); i++) {
      mixed = (mixed ^ generation.charAt(i)) * ODD;
      mixed ^= mixed >>> 32;
    }
    mixed = (mixed ^ mixed >>> 29) * ODD;
    mixed ^= mixed >>> 32;
    return HexFormat.of().toHexDigits(mixed == 0 ? 1 : mixed);
  }

  /** An id of zeros is none, by the specification of traces. */
  private static boolean isZero(String id) {
    return id.chars().allMatch(c -> c == '0');
  }
}
