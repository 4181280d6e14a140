package io.strowger.core.destination;

import io.strowger.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Derives sampling positions of sessions and the ids of traces and spans. */
public final class Digests {
  private static final Pattern TRACE_ID = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern SPAN_ID = Pattern.compile("[0-9a-f]{16}");
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L; // as in SplitMix64
  private static final long TRACE_HIGH_SEED = 0x243F6A8885A308D3L; // these three: digits of pi
  private static final long TRACE_LOW_SEED = 0x13198A2E03707344L;
  private static final long SPAN_SEED = 0xA4093822299F31D0L;
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  private Digests() {}

  /**
   * Computes the sampling positions of one session, or of a call without a session, for all
   * destinations that sample. Confined to one thread.
   */
  static final class SampledSession {
    private final byte[] session;
    private final MessageDigest digest = Sha256.start();

    SampledSession(String session) {
      this.session = session.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the session's sampling position for a destination, an unsigned 64-bit number: evenly
     * distributed, and always the same for the same input. Open question 75.
     *
     * @param destination id of the destination and a colon, in UTF-8
     */
    long position(byte[] destination) {
      digest.update(destination);
      digest.update(session);
      return ByteBuffer.wrap(digest.digest()).getLong(); // this also resets it
    }
  }

  /**
   * Returns the id of a trace: the caller's when it is an OpenTelemetry id or a UUID, otherwise a
   * digest of it.
   *
   * @param callerId {@code trace_id} of the request; null or empty when it has none
   * @param generation the generation id, from which the trace id is made when the request has none
   */
  public static String traceId(@Nullable String callerId, String generation) {
    if (callerId == null || callerId.isEmpty()) {
      return hex(generation, TRACE_HIGH_SEED) + hex(generation, TRACE_LOW_SEED);
    }
    String id = callerId.replace("-", "").toLowerCase(Locale.ROOT);
    return TRACE_ID.matcher(id).matches() && !isZero(id)
        ? id
        : HexFormat.of().formatHex(Sha256.of(callerId), 0, TRACE_BYTES);
  }

  /** Returns the id of the span of a generation. */
  public static String spanId(String generation) {
    return hex(generation, SPAN_SEED);
  }

  /**
   * Returns the id of the parent span that a caller names: the caller's own when it is an
   * OpenTelemetry id, otherwise a digest of it.
   *
   * @return null when the caller names none
   */
  public static @Nullable String parentSpanId(@Nullable String callerId) {
    if (callerId == null || callerId.isEmpty()) {
      return null;
    }
    String id = callerId.toLowerCase(Locale.ROOT);
    return SPAN_ID.matcher(id).matches() && !isZero(id)
        ? id
        : HexFormat.of().formatHex(Sha256.of(callerId), 0, SPAN_BYTES);
  }

  /**
   * Hashes a generation id. Such ids are random and not known beforehand, so this mixing function
   * is enough, and no call pays for a cryptographic digest.
   */
  private static String hex(String generation, long seed) {
    long hash = seed;
    for (int i = 0; i < generation.length(); i++) {
      hash = (hash ^ generation.charAt(i)) * MULTIPLIER;
      hash ^= hash >>> 32;
    }
    hash = (hash ^ hash >>> 29) * MULTIPLIER;
    hash ^= hash >>> 32;
    return HexFormat.of().toHexDigits(hash == 0 ? 1 : hash);
  }

  /** Returns whether an id is all zeros, which the specification of traces forbids. */
  private static boolean isZero(String id) {
    return id.chars().allMatch(c -> c == '0');
  }
}
