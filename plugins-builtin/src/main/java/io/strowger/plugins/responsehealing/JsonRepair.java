package io.strowger.plugins.responsehealing;

import org.jspecify.annotations.Nullable;

/**
 * Finds and repairs the JSON in a model's text, in time linear in the length of the text. Gives up
 * if it would lose a part of the JSON.
 */
public final class JsonRepair {
  private static final String SIGNS = "{}[]\"";

  private final String text;
  private final Wanted wanted;
  private final int end;
  private final int lastSign;
  private @Nullable Candidate best;

  /** The wanted type of the outermost value. */
  enum Wanted {
    OBJECT,
    ARRAY,
    ANY
  }

  /**
   * One JSON value found in the text.
   *
   * @param fit 2 for the wanted type; 1 for another, fenced or at the start of the text; else 0
   * @param fenced whether a code fence is directly before it
   * @param closed whether its own bracket closes it
   */
  private record Candidate(String json, int fit, boolean fenced, boolean closed) {
    boolean isBetterThan(Candidate other) {
      if (fit != other.fit) {
        return fit > other.fit;
      }
      if (fenced != other.fenced) {
        return fenced;
      }
      if (closed != other.closed) {
        return closed;
      }
      return json.length() > other.json.length();
    }
  }

  private JsonRepair(String text, Wanted wanted) {
    this.text = text;
    this.wanted = wanted;
    end = endOf(text);
    int last = end - 1;
    while (last >= 0 && SIGNS.indexOf(text.charAt(last)) < 0) {
      last--;
    }
    lastSign = last;
  }

  /** Returns the index of the closing code fence; the length of the text if there is none. */
  private static int endOf(String text) {
    String said = text.stripTrailing();
    int fence = said.length() - TextCursor.FENCE.length();
    boolean closed = said.endsWith(TextCursor.FENCE) && said.indexOf(TextCursor.FENCE) < fence;
    return closed ? fence : text.length();
  }

  /**
   * Returns the JSON object in a text, repaired if necessary; null when there is none or it cannot
   * be repaired. A text that is valid JSON is returned unchanged, whatever its type.
   */
  public static @Nullable String object(String text) {
    return JsonSyntax.isValid(text) ? text : of(text, Wanted.OBJECT);
  }

  /**
   * Returns the JSON value in a text, repaired if necessary.
   *
   * @param text a text that is not valid JSON
   * @return valid JSON; null when the text has none or it is ambiguous
   */
  static @Nullable String of(String text, Wanted wanted) {
    String repaired = new JsonRepair(text, wanted).repaired();
    return repaired != null && JsonSyntax.isValid(repaired) ? repaired : null;
  }

  private @Nullable String repaired() {
    int from = 0; // the index after the last value
    for (int at = 0; at < end; at++) {
      char c = text.charAt(at);
      if (c == '{' || c == '[') {
        int next = read(at, from);
        if (next < 0) {
          return null;
        }
        from = next;
        at = next - 1;
      }
    }
    return best == null ? fencedScalar() : best.json();
  }

  /**
   * Reads the value at an index and returns the index at which to continue; negative to give up,
   * since only a part of the JSON would be read.
   */
  private int read(int start, int from) {
    var in = new TextCursor(text, start, end);
    var reader = new TolerantReader(in, lastSign);
    TolerantReader.Outcome outcome = reader.read();
    return switch (outcome) {
      case NOTHING -> in.at();
      case BROKEN -> -1;
      case CLOSED, CUT -> {
        if (isPart(start, from, in.at())) {
          yield -1;
        }
        boolean closed = outcome == TolerantReader.Outcome.CLOSED;
        boolean fenced = isFenced(start, from);
        keep(
            new Candidate(
                reader.written(), fit(text.charAt(start), start, fenced), fenced, closed));
        yield in.at();
      }
    };
  }

  private void keep(Candidate candidate) {
    if (candidate.fit() > 0 && (best == null || candidate.isBetterThan(best))) {
      best = candidate;
    }
  }

  private int fit(char opening, int start, boolean fenced) {
    boolean is = wanted == Wanted.ANY || (wanted == Wanted.OBJECT) == (opening == '{');
    return is ? 2 : fenced || before(start, 0) < 0 ? 1 : 0;
  }

  /** Returns whether a member name precedes the value, or more list items follow it. */
  private boolean isPart(int start, int from, int to) {
    int colon = before(start, from);
    if (colon >= from && text.charAt(colon) == ':') {
      int quote = before(colon, from);
      if (quote >= from && text.charAt(quote) == '"') {
        return true;
      }
    }
    int comma = after(to);
    if (comma == end || text.charAt(comma) != ',') {
      return false;
    }
    int more = after(comma + 1);
    return more < end && "\"{[".indexOf(text.charAt(more)) >= 0;
  }

  /** Returns whether a code fence, perhaps with the name of a language, precedes the value. */
  private boolean isFenced(int start, int from) {
    int last = before(start, from);
    while (last >= from && Character.isLetterOrDigit(text.charAt(last))) {
      last--;
    }
    return last - 2 >= 0 && text.startsWith(TextCursor.FENCE, last - 2);
  }

  /**
   * Returns the index of the last non-blank character before an index; less than {@code from} when
   * there is none.
   */
  private int before(int place, int from) {
    int last = place - 1;
    while (last >= from && TextCursor.isBlank(text.charAt(last))) {
      last--;
    }
    return last;
  }

  private int after(int place) {
    int next = place;
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
    String held = text.substring(line, end).strip();
    return JsonSyntax.isValid(held) ? held : null;
  }
}
