package io.strowger.core.dialect.speech;

import static io.strowger.core.dialect.speech.ReferenceParts.AUDIO;
import static io.strowger.core.dialect.speech.ReferenceParts.IMAGE;
import static io.strowger.core.dialect.speech.ReferenceParts.TEXT;

import io.strowger.core.decode.DecodingContext;
import io.strowger.spi.json.Json;
import io.strowger.spi.speech.SpeechReferences;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks how the parts of {@code input_references} combine. Contract: "POST /audio/speech".
 *
 * <ul>
 *   <li>recordings or one image, not both
 *   <li>an image alone, without any other part
 *   <li>one to three recordings
 *   <li>the transcript of a single recording before or after it
 *   <li>each transcript directly after its recording when there are several
 * </ul>
 *
 * Only the types of the parts are compared, so that an invalid part hides no other problem. If a
 * part has an unknown type, nothing is checked.
 */
record ReferenceOrder(List<String> types, DecodingContext context) {
  private static final String MIXED_KINDS =
      "must be of the same kind as the other parts: input_audio with text, or one image_url";
  private static final String SECOND_IMAGE = "must be the only image_url";
  private static final String TRANSCRIPT_WITHOUT_AUDIO = "must be the transcript of an input_audio";
  private static final String SECOND_TRANSCRIPT =
      "must be the only transcript of the one input_audio";
  private static final String NOT_DIRECTLY_AFTER_AUDIO =
      "must directly follow the input_audio it belongs to";

  static void check(Json.Arr parts, DecodingContext context) {
    var types = new ArrayList<String>(parts.size());
    for (Json part : parts) {
      String type = type(part);
      if (type == null) {
        return;
      }
      types.add(type);
    }
    new ReferenceOrder(types, context).check();
  }

  private static @Nullable String type(Json part) {
    String type = part instanceof Json.Obj object ? object.text("type") : null;
    return AUDIO.equals(type) || TEXT.equals(type) || IMAGE.equals(type) ? type : null;
  }

  private void check() {
    int clips = count(AUDIO);
    if (clips > 0 && count(IMAGE) > 0) {
      int firstOfOtherKind = Math.max(types.indexOf(AUDIO), types.indexOf(IMAGE));
      reject(firstOfOtherKind, MIXED_KINDS);
      return;
    }
    if (clips > SpeechReferences.Voice.MAX_CLIPS) {
      context.reject("must have at most 3 parts of type input_audio", Json.of(clips));
    }
    boolean isTaken = false; // an image, or the transcript of the only clip
    for (int i = 0; i < types.size(); i++) {
      switch (types.get(i)) {
        case IMAGE -> {
          if (isTaken) {
            reject(i, SECOND_IMAGE);
          }
          isTaken = true;
        }
        case TEXT -> {
          checkTranscript(i, clips, isTaken);
          isTaken |= clips == 1;
        }
        default -> {} // a clip may stand anywhere
      }
    }
  }

  private void checkTranscript(int index, int clips, boolean hasTranscript) {
    if (clips == 0) {
      reject(index, TRANSCRIPT_WITHOUT_AUDIO);
    } else if (clips == 1 && hasTranscript) {
      reject(index, SECOND_TRANSCRIPT);
    } else if (clips > 1 && (index == 0 || !types.get(index - 1).equals(AUDIO))) {
      reject(index, NOT_DIRECTLY_AFTER_AUDIO);
    }
  }

  private int count(String type) {
    return (int) types.stream().filter(type::equals).count();
  }

  private void reject(int i, String allowed) {
    context.reject(i, allowed, Json.of(types.get(i)));
  }
}
