package io.strowger.providers.upstream;

import io.strowger.spi.json.JsonSource;
import io.strowger.spi.model.Event;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Recognises a frame that differs from one seen before in nothing but its text, which is most
 * frames of most streams, without parsing it. What is not exactly that is left to the parser.
 */
public final class TextPattern {
  private static final int QUOTES = 2;

  private final @Nullable String format;
  private @Nullable FrameSurroundings seen;
  private boolean reasoning;

  /**
   * @param format whose reasoning it is that upstreams of the dialect give; null when nobody knows
   */
  public TextPattern(@Nullable String format) {
    this.format = format;
  }

  /** The frame just parsed: what comes next may differ in its text only. */
  public void remember(FrameSurroundings around, boolean isReasoning) {
    seen = around;
    reasoning = isReasoning;
  }

  /** The event of the frame in this span; null when only a parser can tell. */
  public @Nullable Event match(byte[] buffer, int start, int end) {
    FrameSurroundings around = seen;
    if (around == null) {
      return null;
    }
    byte[] before = around.before();
    byte[] after = around.after();
    int from = start + before.length;
    int to = end - after.length;
    if (to - from <= QUOTES
        || !Arrays.equals(buffer, start, from, before, 0, before.length)
        || !Arrays.equals(buffer, to, end, after, 0, after.length)
        || !StringLiteral.is(buffer, from, to)) {
      return null;
    }
    var text = new JsonSource(Arrays.copyOfRange(buffer, from, to)).string(0, to - from);
    return reasoning
        ? new Event.ReasoningDelta(text, false, format, null, around.template())
        : new Event.TextDelta(text, around.template());
  }
}
