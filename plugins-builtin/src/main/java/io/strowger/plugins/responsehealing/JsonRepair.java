package io.strowger.plugins.responsehealing;

import org.jspecify.annotations.Nullable;

/**
 * Finds and repairs the JSON in a model's text, in time linear in the length of the text. Gives up
 * if it would lose a part of the JSON.
 */
public final class JsonRepair {
  private static final String STRUCTURAL_CHARS = "{}[]\"";

  private final String text;
  private final ExpectedType expectedType;
  private final int end;
  private final int lastStructural;
  private @Nullable Candidate best;

  /** The wanted type of the outermost value. */
  enum ExpectedType {
    OBJECT,
    ARRAY,
    ANY
  }

  /**
   * One JSON value found in the text.
   *
   * @param fit 2 for the wanted type; 1 for another type if it is fenced or at the start of the
   *     text; otherwise 0
   * @param isFenced whether a code fence is directly before it
   * @param isClosed whether the value's own bracket closes it
   */
  private record Candidate(String json, int fit, boolean isFenced, boolean isClosed) {
    boolean isBetterThan(Candidate other) {
      if (fit != other.fit) {
        return fit > other.fit;
      }
      if (isFenced != other.isFenced) {
        return isFenced;
      }
      if (isClosed != other.isClosed) {
        return isClosed;
      }
      return json.length() > other.json.length();
    }
  }

  private JsonRepair(String text, ExpectedType expectedType) {
    this.text = text;
    this.expectedType = expectedType;
    end = contentEnd(text);
    int last = end - 1;
    while (last >= 0 && STRUCTURAL_CHARS.indexOf(text.charAt(last)) < 0) {
      last--;
    }
    lastStructural = last;
  }

  /**
   * Returns the index of the code fence that ends the text and closes an earlier one; the length of
   * the text if there is none.
   */
  private static int contentEnd(String text) {
    String stripped = text.stripTrailing();
    int fence = stripped.length() - TextCursor.FENCE.length();
    boolean isFenced =
        stripped.endsWith(TextCursor.FENCE) && stripped.indexOf(TextCursor.FENCE) < fence;
    return isFenced ? fence : text.length();
  }

  /**
   * Returns the JSON object in a text, repaired if necessary; null when there is none or it cannot
   * be repaired. A text that is valid JSON is returned unchanged, whatever its type.
   */
  public static @Nullable String repairObject(String text) {
    return JsonSyntax.isValid(text) ? text : repairInvalid(text, ExpectedType.OBJECT);
  }

  /**
   * Returns the JSON value in a text, repaired if necessary.
   *
   * @param text a text that is not valid JSON
   * @return valid JSON; null when the text has none or it is ambiguous
   */
  static @Nullable String repairInvalid(String text, ExpectedType expectedType) {
    String repaired = new JsonRepair(text, expectedType).repair();
    return repaired != null && JsonSyntax.isValid(repaired) ? repaired : null;
  }

  private @Nullable String repair() {
    int previousEnd = 0; // the index after the previous value
    for (int index = 0; index < end; index++) {
      char c = text.charAt(index);
      if (c == '{' || c == '[') {
        int next = read(index, previousEnd);
        if (next < 0) {
          return null;
        }
        previousEnd = next;
        index = next - 1;
      }
    }
    return best == null ? fencedScalar() : best.json();
  }

  /**
   * Reads the value at an index and returns the index at which to continue; negative to give up,
   * since only a part of the JSON would be read.
   */
  private int read(int start, int previousEnd) {
    var in = new TextCursor(text, start, end);
    var reader = new TolerantReader(in, lastStructural);
    TolerantReader.Outcome outcome = reader.read();
    return switch (outcome) {
      case NOT_JSON -> in.position();
      case BROKEN -> -1;
      case CLOSED, TRUNCATED -> {
        if (isFragment(start, previousEnd, in.position())) {
          yield -1;
        }
        boolean isClosed = outcome == TolerantReader.Outcome.CLOSED;
        boolean fenced = isFenced(start, previousEnd);
        keepBetter(
            new Candidate(reader.json(), fit(text.charAt(start), start, fenced), fenced, isClosed));
        yield in.position();
      }
    };
  }

  private void keepBetter(Candidate candidate) {
    if (candidate.fit() > 0 && (best == null || candidate.isBetterThan(best))) {
      best = candidate;
    }
  }

  private int fit(char opening, int start, boolean fenced) {
    boolean isExpected =
        expectedType == ExpectedType.ANY
            || (expectedType == ExpectedType.OBJECT) == (opening == '{');
    return isExpected ? 2 : fenced || nonBlankBefore(start, 0) < 0 ? 1 : 0;
  }

  /** Returns whether a member name precedes the value, or more list items follow it. */
  private boolean isFragment(int start, int previousEnd, int to) {
    int colon = nonBlankBefore(start, previousEnd);
    if (colon >= previousEnd && text.charAt(colon) == ':') {
      int quote = nonBlankBefore(colon, previousEnd);
      if (quote >= previousEnd && text.charAt(quote) == '"') {
        return true;
      }
    }
    int comma = nonBlankAfter(to);
    if (comma == end || text.charAt(comma) != ',') {
      return false;
    }
    int next = nonBlankAfter(comma + 1);
    return next < end && "\"{[".indexOf(text.charAt(next)) >= 0;
  }

  /** Returns whether a code fence, perhaps with the name of a language, precedes the value. */
  private boolean isFenced(int start, int previousEnd) {
    int last = nonBlankBefore(start, previousEnd);
    while (last >= previousEnd && Character.isLetterOrDigit(text.charAt(last))) {
      last--;
    }
    return last - 2 >= 0 && text.startsWith(TextCursor.FENCE, last - 2);
  }

  /**
   * Returns the index of the last non-blank character before an index; less than {@code from} when
   * there is none.
   */
  private int nonBlankBefore(int position, int from) {
    int last = position - 1;
    while (last >= from && TextCursor.isBlank(text.charAt(last))) {
      last--;
    }
    return last;
  }

  private int nonBlankAfter(int position) {
    int next = position;
    while (next < end && TextCursor.isBlank(text.charAt(next))) {
      next++;
    }
    return next;
  }

  /** Returns the fenced JSON when it is a string, number or literal; null otherwise. */
  private @Nullable String fencedScalar() {
    int fence = text.indexOf(TextCursor.FENCE);
    int line = fence < 0 ? -1 : text.indexOf('\n', fence);
    if (line < 0 || line >= end) {
      return null;
    }
    String content = text.substring(line, end).strip();
    if (JsonSyntax.isValid(content)) {
      return content; // a text may have a fence in it
    }
    int closing = text.indexOf(TextCursor.FENCE, line);
    String fenced = closing < 0 ? "" : text.substring(line, Math.min(closing, end)).strip();
    return JsonSyntax.isValid(fenced) ? fenced : null;
  }
}
