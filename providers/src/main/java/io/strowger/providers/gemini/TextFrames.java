package io.strowger.providers.gemini;

import io.strowger.providers.upstream.FramePattern;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.JsonCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises frames that contain only one more piece of text and the usage so far. Most frames of a
 * stream differ in nothing else. Such frames are not parsed, except the last one, whose usage may
 * be the final one. Not thread-safe.
 */
final class TextFrames {
  private static final int TEXT = 0;

  private final JsonCodec codec;
  private @Nullable FramePattern pattern;
  private boolean thought;
  private byte[] latestFrame = new byte[0]; // starts with the last frame that matched
  private int latestLength;

  TextFrames(JsonCodec codec) {
    this.codec = codec;
  }

  /**
   * Remembers a parsed frame; later frames may differ from it in text and counts only.
   *
   * @param frame a frame with one piece of text without signature, and at most its usage
   * @param bytes the bytes the frame was parsed from
   * @param isThought whether the text is reasoning
   */
  void remember(Json.Obj frame, Json.Str text, byte[] bytes, boolean isThought) {
    List<Json> varying = new ArrayList<>();
    varying.add(text);
    Json.Obj usage = frame.object("usageMetadata");
    if (usage != null) {
      collectCounts(usage, varying);
    }
    pattern = FramePattern.of(bytes, varying);
    thought = isThought;
    latestLength = 0;
  }

  /** Forgets the frame, so that the next one must be parsed. */
  void forget() {
    pattern = null;
    latestLength = 0;
  }

  private static void collectCounts(Json value, List<Json> result) {
    switch (value) {
      case Json.Num count -> result.add(count);
      case Json.Obj object -> {
        for (int i = 0; i < object.size(); i++) {
          collectCounts(object.value(i), result);
        }
      }
      case Json.Arr items -> items.forEach(item -> collectCounts(item, result));
      case Json.Str s -> {}
      case Json.Bool b -> {}
      case Json.Null n -> {}
    }
  }

  /** Returns the text of the frame in this span; null when the frame must be parsed. */
  Json.@Nullable Str match(byte[] buffer, int start, int end) {
    FramePattern current = pattern;
    if (current == null || !current.matches(buffer, start, end) || current.isEmpty(TEXT)) {
      return null;
    }
    latestLength = end - start;
    if (latestFrame.length < latestLength) {
      latestFrame = new byte[latestLength + latestLength / 2];
    }
    System.arraycopy(buffer, start, latestFrame, 0, latestLength);
    return current.string(buffer, TEXT);
  }

  /** Returns the event for a text returned by {@link #match}. */
  Event event(Json.Str text) {
    return thought ? GeminiEventReader.reasoningDelta(text) : new Event.TextDelta(text, null);
  }

  boolean isThought() {
    return thought;
  }

  /** Returns the usage of the last frame that matched since a frame was parsed; null for none. */
  Json.@Nullable Obj usage() {
    if (latestLength == 0) {
      return null;
    }
    try {
      return codec.parse(Arrays.copyOf(latestFrame, latestLength)) instanceof Json.Obj frame
          ? frame.object("usageMetadata")
          : null;
    } catch (JsonCodec.MalformedJsonException impossible) {
      throw new IllegalStateException(
          "bytes that matched a frame pattern are not a frame", impossible);
    }
  }
}
