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

  private final List<VariableSpan> variables;
  private final byte[][] fixedParts; // the bytes before, between and after the values
  private final int[] starts;
  private final int[] ends;

  /**
   * A value that may differ.
   *
   * @param index the index of the value among those passed to {@link #of}
   * @param start the start of the value in the frame that was parsed
   */
  private record VariableSpan(int index, int start, int end, boolean isNumber) {}

  private FramePattern(byte[] frame, List<VariableSpan> variables) {
    this.variables = variables;
    this.fixedParts = new byte[variables.size() + 1][];
    this.starts = new int[variables.size()];
    this.ends = new int[variables.size()];
    int position = 0;
    for (int i = 0; i < variables.size(); i++) {
      fixedParts[i] = Arrays.copyOfRange(frame, position, variables.get(i).start());
      position = variables.get(i).end();
    }
    fixedParts[variables.size()] = Arrays.copyOfRange(frame, position, frame.length);
  }

  /**
   * Returns the pattern of a parsed frame; null when a value was not read from the bytes of the
   * frame.
   *
   * @param values the distinct strings and numbers that may differ
   */
  public static @Nullable FramePattern of(byte[] frame, List<? extends Json> values) {
    var variables = new ArrayList<VariableSpan>();
    for (int i = 0; i < values.size(); i++) {
      VariableSpan variable = variable(i, values.get(i), frame);
      if (variable == null) {
        return null;
      }
      variables.add(variable);
    }
    variables.sort(Comparator.comparingInt(VariableSpan::start));
    return new FramePattern(frame, variables);
  }

  private static @Nullable VariableSpan variable(int index, Json value, byte[] frame) {
    if (value instanceof Json.Str text && text.offsetIn(frame) >= 0) {
      int start = text.offsetIn(frame);
      return new VariableSpan(index, start, start + text.utf8Bound() + 2, false);
    }
    if (value instanceof Json.Num number && number.offsetIn(frame) >= 0) {
      int start = number.offsetIn(frame);
      return new VariableSpan(index, start, start + number.spelling().length(), true);
    }
    return null;
  }

  /** Returns whether the frame in this span matches; if so, its values can be read. */
  public boolean matches(byte[] buffer, int start, int end) {
    int position = start;
    for (int i = 0; i < starts.length; i++) {
      VariableSpan variable = variables.get(i);
      position = skipExpected(fixedParts[i], buffer, position, end);
      int next =
          position < 0
              ? -1
              : variable.isNumber()
                  ? endOfNumber(buffer, position, end)
                  : StringLiteral.end(buffer, position, end);
      if (next < 0) {
        return false;
      }
      starts[variable.index()] = position;
      ends[variable.index()] = next;
      position = next;
    }
    return skipExpected(fixedParts[starts.length], buffer, position, end) == end;
  }

  /** Returns the index after the expected bytes; -1 when the buffer has other bytes. */
  private static int skipExpected(byte[] expected, byte[] buffer, int at, int end) {
    int next = at + expected.length;
    return next <= end && Arrays.equals(buffer, at, next, expected, 0, expected.length) ? next : -1;
  }

  /** Returns the end of a non-negative integer; -1 when something else begins here. */
  private static int endOfNumber(byte[] buffer, int at, int end) {
    int i = at;
    while (i < end && buffer[i] >= '0' && buffer[i] <= '9') {
      i++;
    }
    int digits = i - at;
    boolean isValid = digits == 1 || digits > 1 && digits <= MAX_DIGITS && buffer[at] != '0';
    return isValid ? i : -1;
  }

  /** Returns the start of a value in the buffer of the frame that matched last. */
  public int start(int index) {
    return starts[index];
  }

  /** Returns the end of a value, exclusive. */
  public int end(int index) {
    return ends[index];
  }

  /** Returns whether a string of the frame that matched last is empty. */
  public boolean isEmpty(int index) {
    return ends[index] - starts[index] == 2;
  }

  /**
   * Returns a copy of a string of the frame that matched last.
   *
   * @param buffer the buffer that was matched
   * @param index the index of the string among the values passed to {@link #of}
   */
  public Json.Str string(byte[] buffer, int index) {
    byte[] literal = Arrays.copyOfRange(buffer, starts[index], ends[index]);
    return new JsonSource(literal).string(0, literal.length);
  }
}
