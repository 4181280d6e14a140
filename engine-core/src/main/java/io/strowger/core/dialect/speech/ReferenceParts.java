package io.strowger.core.dialect.speech;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.speech.SpeechReferences;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule for {@code input_references}: recordings with their transcripts, or an image. Contract:
 * "POST /audio/speech", "Limits"; speech fact sheet, {@code input_references}.
 */
final class ReferenceParts {
  private static final String AUDIO = "input_audio";
  private static final String TEXT = "text";
  private static final String IMAGE = "image_url";
  private static final int MAX_DATA_CHARS = 20_971_520;
  private static final int MAX_TRANSCRIPT_CHARS = 10_000;

  private sealed interface Part {}

  private record Recording(Json.Str data, @Nullable String format) implements Part {}

  private record Transcript(String text) implements Part {}

  private record Picture(Json.Str url) implements Part {}

  private static final Rule<Json.Obj> RECORDING =
      members().required("data", string(1, MAX_DATA_CHARS)).optional("format", string()).asJson();

  private static final Rule<Json.Obj> PICTURE = members().required("url", string()).asJson();

  private static final Rule<List<Part>> PARTS =
      list(
          Union.<Part>on("type")
              .when(AUDIO, members().required(AUDIO, RECORDING).as(ReferenceParts::recording))
              .when(
                  TEXT,
                  members()
                      .required(TEXT, textUpTo(MAX_TRANSCRIPT_CHARS))
                      .as(part -> new Transcript(RequiredMember.text(part, TEXT))))
              .when(IMAGE, members().required(IMAGE, PICTURE).as(ReferenceParts::picture)));

  static final Rule<SpeechReferences> RULE = ReferenceParts::read;

  private ReferenceParts() {}

  private static Part recording(Json.Obj part) {
    Json.Obj audio = RequiredMember.object(part, AUDIO);
    return new Recording(RequiredMember.string(audio, "data"), audio.text("format"));
  }

  private static Part picture(Json.Obj part) {
    return new Picture(RequiredMember.string(RequiredMember.object(part, IMAGE), "url"));
  }

  private static @Nullable SpeechReferences read(Json value, DecodingContext context) {
    int problemsBefore = context.problemCount();
    List<Part> parts = PARTS.read(value, context);
    if (value instanceof Json.Arr items) {
      Order.check(items, context);
    }
    return parts == null || context.problemCount() > problemsBefore ? null : references(parts);
  }

  private static SpeechReferences references(List<Part> parts) {
    if (parts.isEmpty()) {
      return SpeechReferences.NONE;
    }
    if (parts.get(0) instanceof Picture(var url)) {
      return new SpeechReferences.Image(url);
    }
    var clips = new ArrayList<SpeechReferences.Clip>();
    String transcriptBefore = null;
    for (int i = 0; i < parts.size(); i++) {
      String transcriptAfter = transcriptAt(parts, i + 1);
      if (parts.get(i) instanceof Recording(var data, var format)) {
        clips.add(
            new SpeechReferences.Clip(
                data, format, transcriptAfter == null ? transcriptBefore : transcriptAfter));
        transcriptBefore = null;
      } else if (i == 0) {
        transcriptBefore = transcriptAt(parts, 0); // of the only clip, which follows
      }
    }
    return new SpeechReferences.Voice(clips);
  }

  private static @Nullable String transcriptAt(List<Part> parts, int i) {
    return i < parts.size() && parts.get(i) instanceof Transcript(var text) ? text : null;
  }

  /**
   * Checks how the parts of {@code input_references} combine.
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
  private record Order(List<String> types, DecodingContext context) {
    private static final String MIXED_KINDS =
        "must be of the same kind as the other parts: input_audio with text, or one image_url";
    private static final String SECOND_IMAGE = "must be the only image_url";
    private static final String TRANSCRIPT_WITHOUT_AUDIO =
        "must be the transcript of an input_audio";
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
      new Order(types, context).check();
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
}
