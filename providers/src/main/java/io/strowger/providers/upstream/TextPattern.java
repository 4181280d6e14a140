package io.strowger.providers.upstream;

import io.strowger.spi.json.JsonSource;
import io.strowger.spi.model.Event;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Recognises, without parsing, a frame that differs from an earlier one only in its text, as most
 * frames of most streams do. Any other frame is left to the parser.
 */
public final class TextPattern {
  private static final int QUOTES = 2;

  private final @Nullable String format;
  private @Nullable FrameSurroundings lastFrame;
  private boolean reasoning;

  /**
   * @param format the vendor format of the dialect's reasoning; null when it is unknown
   */
  public TextPattern(@Nullable String format) {
    this.format = format;
  }

  /** Remembers a parsed frame; later frames may differ from it in the text only. */
  public void remember(FrameSurroundings surroundings, boolean isReasoning) {
    lastFrame = surroundings;
    reasoning = isReasoning;
  }

  /** Returns the event of the frame in this span; null when the frame must be parsed. */
  public @Nullable Event match(byte[] buffer, int start, int end) {
    FrameSurroundings surroundings = lastFrame;
    if (surroundings == null) {
      return null;
    }
    byte[] before = surroundings.before();
    byte[] after = surroundings.after();
    int from = start + before.length;
    int to = end - after.length;
    if (to - from <= QUOTES
        || !Arrays.equals(buffer, start, from, before, 0, before.length)
        || !Arrays.equals(buffer, to, end, after, 0, after.length)
        || !StringLiteral.matches(buffer, from, to)) {
      return null;
    }
    var text = new JsonSource(Arrays.copyOfRange(buffer, from, to)).string(0, to - from);
    return reasoning
        ? new Event.ReasoningDelta(text, false, format, null, surroundings.template())
        : new Event.TextDelta(text, surroundings.template());
  }
}
