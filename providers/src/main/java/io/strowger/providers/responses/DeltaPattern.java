package io.strowger.providers.responses;

import io.strowger.providers.upstream.FramePattern;
import io.strowger.providers.upstream.FrameSurroundings;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises text deltas that differ from one that was parsed only in their text, their number, and
 * the padding that hides the length of the text.
 */
final class DeltaPattern {
  private static final String HIDES = "obfuscation";
  private static final int TEXT = 0;
  private static final int HIDING = 1;

  private final FramePattern pattern;
  private final ResponsesEventReader.Said what;
  private final FrameTemplate template;
  private final boolean hiding; // whether events need the padding of their frame

  private DeltaPattern(
      FramePattern pattern,
      ResponsesEventReader.Said what,
      FrameTemplate template,
      boolean hiding) {
    this.pattern = pattern;
    this.what = what;
    this.template = template;
    this.hiding = hiding;
  }

  /**
   * Returns the pattern of a frame; null when frames like it must be parsed.
   *
   * @param bytes the bytes the frame was parsed from
   * @param around the bytes around the text
   * @param framed whether whoever receives the events also reads their frames
   */
  static @Nullable DeltaPattern of(
      ResponsesEventReader.Said what,
      Json.Obj frame,
      byte[] bytes,
      FrameSurroundings around,
      boolean framed) {
    Json.Arr logprobs = frame.list("logprobs");
    Json text = frame.get("delta");
    if (text == null || logprobs != null && !logprobs.isEmpty()) {
      return null;
    }
    List<Json> varying = new ArrayList<>(List.of(text));
    boolean hides = frame.get(HIDES) instanceof Json.Str hidden && varying.add(hidden);
    if (frame.get("sequence_number") instanceof Json.Num number) {
      varying.add(number);
    }
    FramePattern pattern = FramePattern.of(bytes, varying);
    return pattern == null
        ? null
        : new DeltaPattern(pattern, what, around.template(), hides && framed);
  }

  /** Returns the event of the frame in this span; null when it must be parsed. */
  @Nullable Event match(byte[] buffer, int start, int end) {
    if (!pattern.matches(buffer, start, end) || pattern.isEmpty(TEXT)) {
      return null;
    }
    Json.Str text = pattern.string(buffer, TEXT);
    FrameTemplate its = hiding ? padded(buffer, start, end) : template;
    return what == ResponsesEventReader.Said.TEXT
        ? new Event.TextDelta(text, its)
        : ResponsesReasoningItem.delta(
            text, what == ResponsesEventReader.Said.SUMMARY, template.example(), its);
  }

  /** Returns the template with this frame's padding; the engine sets the number itself. */
  private FrameTemplate padded(byte[] buffer, int start, int end) {
    return new FrameTemplate(
        Dialect.RESPONSES,
        template.example().with(HIDES, pattern.string(buffer, HIDING)),
        Arrays.copyOfRange(buffer, start, pattern.start(TEXT)),
        Arrays.copyOfRange(buffer, pattern.end(TEXT), end));
  }
}
