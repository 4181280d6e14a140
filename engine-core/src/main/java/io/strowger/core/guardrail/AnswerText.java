package io.strowger.core.guardrail;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One text of an answer while it grows. Arguments of a tool are scanned without the escapes of
 * their JSON, and what has no match is passed on as it was written. Offsets count the scanned
 * characters from the beginning of the text. Confined to one thread.
 */
final class AnswerText {
  private static final GuardedText.ReplaceableRanges EVERYWHERE = (start, end) -> true;

  private final GuardedText guarded;
  private final @Nullable JsonEscapes escapes; // null for a text that is not JSON
  private boolean hasChanged;

  private AnswerText(GuardedText guarded, @Nullable JsonEscapes escapes) {
    this.guarded = guarded;
    this.escapes = escapes;
  }

  /** Returns an empty text that is scanned as it is written. */
  static AnswerText plain(List<FilterRule> rules, Findings findings) {
    return new AnswerText(new GuardedText(rules, findings, EVERYWHERE), null);
  }

  /** Returns an empty text that is scanned without its JSON escapes. */
  static AnswerText json(List<FilterRule> rules, Findings findings) {
    var escapes = new JsonEscapes();
    return new AnswerText(new GuardedText(rules, findings, escapes), escapes);
  }

  /**
   * Appends a fragment and scans it.
   *
   * @return whether the text has grown; false if the fragment only begins an escape
   */
  boolean append(String fragment) {
    String added = escapes == null ? fragment : escapes.decode(fragment, false);
    if (added.isEmpty()) {
      return false;
    }
    guarded.append(added);
    return true;
  }

  /** Decides all of the text so far, because other content follows: {@link GuardedText#pause}. */
  void pause() {
    guarded.pause();
  }

  /** Ends the text and decides all of it, an incomplete escape included. */
  void end() {
    if (escapes != null) {
      guarded.append(escapes.decode("", true));
    }
    guarded.end();
  }

  int length() {
    return guarded.length();
  }

  /** Returns the length that has been passed on. */
  int releasedLength() {
    return guarded.releasedLength();
  }

  /** Returns whether a match was replaced in what has been passed on. */
  boolean hasChanged() {
    return hasChanged;
  }

  /**
   * Returns the offset up to which a fragment may be released. The last one also gets an incomplete
   * escape. If the fragment ends inside a surrogate pair, the whole pair belongs to the next one.
   *
   * @param end the offset at which the fragment ends
   * @param isLast whether no other content waits behind the fragment
   */
  int releaseLimit(int end, boolean isLast) {
    if (escapes != null && isLast) {
      return guarded.length();
    }
    return guarded.isInsidePair(end) ? end - 1 : end;
  }

  /** Releases the decided part of the text up to an offset; returns it with matches replaced. */
  String release(int limit) {
    int end = Math.min(limit, guarded.decidedLength());
    if (end <= guarded.releasedLength()) {
      return "";
    }
    var output = new StringBuilder();
    guarded.release(
        end,
        new GuardedText.Output() {
          @Override
          public void text(String piece, int from) {
            output.append(escapes == null ? piece : escapes.jsonOf(from, from + piece.length()));
          }

          @Override
          public void label(String label) {
            output.append(escapes == null ? label : JsonEscapes.escapeLabel(label));
            hasChanged = true;
          }
        });
    if (escapes != null) {
      escapes.forget(guarded.releasedLength());
    }
    return output.toString();
  }
}
