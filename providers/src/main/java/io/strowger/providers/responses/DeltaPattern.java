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
 * Recognises deltas of text, reasoning or summaries that differ from a parsed one only in their
 * text, their sequence number, and the padding that hides the length of the text.
 */
final class DeltaPattern {
  private static final String PADDING_MEMBER = "obfuscation";
  private static final int TEXT = 0;
  private static final int PADDING = 1;

  private final FramePattern pattern;
  private final ResponsesEventReader.PieceKind kind;
  private final FrameTemplate template;
  private final boolean replacesPadding; // whether events need the padding of their frame

  private DeltaPattern(
      FramePattern pattern,
      ResponsesEventReader.PieceKind kind,
      FrameTemplate template,
      boolean replacesPadding) {
    this.pattern = pattern;
    this.kind = kind;
    this.template = template;
    this.replacesPadding = replacesPadding;
  }

  /**
   * Returns the pattern of a frame; null when frames like it must be parsed.
   *
   * @param bytes the bytes the frame was parsed from
   * @param surroundings the bytes around the text
   * @param readsFrames whether the reader of the events also needs their original frames
   */
  static @Nullable DeltaPattern of(
      ResponsesEventReader.PieceKind kind,
      Json.Obj frame,
      byte[] bytes,
      FrameSurroundings surroundings,
      boolean readsFrames) {
    Json.Arr logprobs = frame.list("logprobs");
    Json text = frame.get("delta");
    if (text == null || logprobs != null && !logprobs.isEmpty()) {
      return null;
    }
    List<Json> varying = new ArrayList<>(List.of(text));
    boolean isPadded = false;
    if (frame.get(PADDING_MEMBER) instanceof Json.Str padding) {
      varying.add(padding);
      isPadded = true;
    }
    if (frame.get("sequence_number") instanceof Json.Num number) {
      varying.add(number);
    }
    FramePattern pattern = FramePattern.of(bytes, varying);
    return pattern == null
        ? null
        : new DeltaPattern(pattern, kind, surroundings.template(), isPadded && readsFrames);
  }

  /** Returns the event of the frame in this span; null when the frame must be parsed. */
  @Nullable Event match(byte[] buffer, int start, int end) {
    if (!pattern.matches(buffer, start, end) || pattern.isEmpty(TEXT)) {
      return null;
    }
    Json.Str text = pattern.string(buffer, TEXT);
    FrameTemplate frameTemplate = replacesPadding ? withPadding(buffer, start, end) : template;
    return kind == ResponsesEventReader.PieceKind.TEXT
        ? new Event.TextDelta(text, frameTemplate)
        : ResponsesReasoningItem.delta(
            text,
            kind == ResponsesEventReader.PieceKind.SUMMARY,
            template.firstFrame(),
            frameTemplate);
  }

  /** Returns the template with this frame's padding; the engine sets the sequence number itself. */
  private FrameTemplate withPadding(byte[] buffer, int start, int end) {
    return new FrameTemplate(
        Dialect.RESPONSES,
        template.firstFrame().with(PADDING_MEMBER, pattern.string(buffer, PADDING)),
        Arrays.copyOfRange(buffer, start, pattern.start(TEXT)),
        Arrays.copyOfRange(buffer, pattern.end(TEXT), end));
  }
}
