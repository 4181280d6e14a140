package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises, without parsing, a frame that differs from an earlier one only in some of its strings
 * and numbers: for dialects whose frames are numbered or padded. Any other frame is left to the
 * parser. For one thread.
 */
public final class FramePattern {
  private static final int MAX_DIGITS = 18;

  private final List<Varying> varying;
  private final byte[][] fixed; // the bytes before, between and after the values
  private final int[] from;
  private final int[] to;

  /**
   * A value that may differ.
   *
   * @param given its index among the values passed to {@link #of}
   * @param start its start in the frame that was parsed
   */
  private record Varying(int given, int start, int end, boolean number) {}

  private FramePattern(byte[] seen, List<Varying> varying) {
    this.varying = varying;
    this.fixed = new byte[varying.size() + 1][];
    this.from = new int[varying.size()];
    this.to = new int[varying.size()];
    int at = 0;
    for (int i = 0; i < varying.size(); i++) {
      fixed[i] = Arrays.copyOfRange(seen, at, varying.get(i).start());
      at = varying.get(i).end();
    }
    fixed[varying.size()] = Arrays.copyOfRange(seen, at, seen.length);
  }

  /**
   * Returns the pattern of a parsed frame; null when a value was not read from its bytes.
   *
   * @param values the distinct strings and numbers that may differ
   */
  public static @Nullable FramePattern of(byte[] frame, List<? extends Json> values) {
    var varying = new ArrayList<Varying>();
    for (int i = 0; i < values.size(); i++) {
      Varying one = varying(i, values.get(i), frame);
      if (one == null) {
        return null;
      }
      varying.add(one);
    }
    varying.sort(Comparator.comparingInt(Varying::start));
    return new FramePattern(frame, varying);
  }

  private static @Nullable Varying varying(int given, Json value, byte[] frame) {
    if (value instanceof Json.Str text && text.offsetIn(frame) >= 0) {
      int start = text.offsetIn(frame);
      return new Varying(given, start, start + text.utf8Bound() + 2, false);
    }
    if (value instanceof Json.Num number && number.offsetIn(frame) >= 0) {
      int start = number.offsetIn(frame);
      return new Varying(given, start, start + number.spelling().length(), true);
    }
    return null;
  }

  /** Returns whether the frame in this span matches; if so, its values can be read. */
  public boolean matches(byte[] buffer, int start, int end) {
    int at = start;
    for (int i = 0; i < from.length; i++) {
      Varying here = varying.get(i);
      at = behind(fixed[i], buffer, at, end);
      int behind =
          at < 0
              ? -1
              : here.number() ? endOfNumber(buffer, at, end) : StringLiteral.end(buffer, at, end);
      if (behind < 0) {
        return false;
      }
      from[here.given()] = at;
      to[here.given()] = behind;
      at = behind;
    }
    return behind(fixed[from.length], buffer, at, end) == end;
  }

  /** Returns the index after the expected bytes; -1 when the buffer has others. */
  private static int behind(byte[] expected, byte[] buffer, int at, int end) {
    int behind = at + expected.length;
    return behind <= end && Arrays.equals(buffer, at, behind, expected, 0, expected.length)
        ? behind
        : -1;
  }

  /** Returns the end of a non-negative integer; -1 when something else begins here. */
  private static int endOfNumber(byte[] buffer, int at, int end) {
    int i = at;
    while (i < end && buffer[i] >= '0' && buffer[i] <= '9') {
      i++;
    }
    int digits = i - at;
    boolean sound = digits == 1 || digits > 1 && digits <= MAX_DIGITS && buffer[at] != '0';
    return sound ? i : -1;
  }

  /** Returns the start of a value in the buffer of the frame that matched last. */
  public int start(int given) {
    return from[given];
  }

  /** Returns the end of a value, exclusive. */
  public int end(int given) {
    return to[given];
  }

  /** Returns whether a string of the frame that matched last is empty. */
  public boolean isEmpty(int given) {
    return to[given] - from[given] == 2;
  }

  /**
   * Returns a copy of a string of the frame that matched last.
   *
   * @param buffer the buffer that was matched
   * @param given its index among the values of {@link #of}
   */
  public Json.Str string(byte[] buffer, int given) {
    byte[] literal = Arrays.copyOfRange(buffer, from[given], to[given]);
    return new JsonSource(literal).string(0, literal.length);
  }
}
