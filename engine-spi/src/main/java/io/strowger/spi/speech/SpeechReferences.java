package io.strowger.spi.speech;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reference audio or image from which a voice is cloned or designed. A request with one needs
 * an endpoint that supports it. Contract: "POST /audio/speech"; speech fact sheet, {@code
 * input_references}.
 */
public sealed interface SpeechReferences {
  None NONE = new None();

  /** No reference: the member was absent or an empty array. */
  record None() implements SpeechReferences {}

  /**
   * Recordings of the voice.
   *
   * @param clips 1 to 3 recordings, in the order given
   */
  record Voice(List<Clip> clips) implements SpeechReferences {
    public static final int MAX_CLIPS = 3;

    public Voice {
      clips = List.copyOf(clips);
      if (clips.isEmpty() || clips.size() > MAX_CLIPS) {
        throw new IllegalArgumentException("clips must be 1 to 3, were " + clips.size());
      }
    }
  }

  /**
   * An image of the speaker.
   *
   * @param url its address, or the image itself in a data: URL
   */
  record Image(Json.Str url) implements SpeechReferences {
    public Image {
      Objects.requireNonNull(url, "url");
    }
  }

  /**
   * One recording.
   *
   * @param data base64, 1 to 20,971,520 characters, or a data: URL; not decoded
   * @param format the audio format as stated by the caller; null when not given
   * @param transcript its spoken text, at most 10,000 characters; null when not given
   */
  record Clip(Json.Str data, @Nullable String format, @Nullable String transcript) {
    public Clip {
      Objects.requireNonNull(data, "data");
    }
  }
}
