package io.strowger.providers.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises a frame that differs from one seen before in nothing but some of its strings and
 * numbers, without parsing it: for dialects whose frames count or pad. What is not exactly that is
 * left to the parser. For one thread.
 */
public final class FramePattern {
  private static final int MAX_DIGITS = 18;

  private final List<Varying> varying;
  private final byte[][] fixed; // before, between and behind what varies
  private final int[] from;
  private final int[] to;

  /**
   * A value that may differ.
   *
   * @param given its place among those given
   * @param start where it begins in the frame that was seen
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
   * The pattern of a frame that was parsed; null when not all of the values stand in its bytes.
   *
   * @param values strings, and numbers, that may differ; each of them once
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

  /** True when the frame in this span is like the one seen; then its values can be asked for. */
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

  /** Where the buffer goes on behind these bytes; -1 when they are not what comes there. */
  private static int behind(byte[] expected, byte[] buffer, int at, int end) {
    int behind = at + expected.length;
    return behind <= end && Arrays.equals(buffer, at, behind, expected, 0, expected.length)
        ? behind
        : -1;
  }

  /** Of a whole number that is not negative; -1 when something else begins here. */
  private static int endOfNumber(byte[] buffer, int at, int end) {
    int i = at;
    while (i < end && buffer[i] >= '0' && buffer[i] <= '9') {
      i++;
    }
    int digits = i - at;
    boolean sound = digits == 1 || digits > 1 && digits <= MAX_DIGITS && buffer[at] != '0';
    return sound ? i : -1;
  }

  /** Where one of the values begins, in the buffer of the frame that matched last. */
  public int start(int given) {
    return from[given];
  }

  /** Behind its end. */
  public int end(int given) {
    return to[given];
  }

  /** True when a string of the frame that matched last has nothing in it. */
  public boolean isEmpty(int given) {
    return to[given] - from[given] == 2;
  }

  /**
   * A string of the frame that matched last; takes a copy.
   *
   * @param buffer the same
   * @param given its place among the values of {@link #of}
   */
  public Json.Str string(byte[] buffer, int given) {
    byte[] literal = Arrays.copyOfRange(buffer, from[given], to[given]);
    return new JsonSource(literal).string(0, literal.length);
  }
}
