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
 * The rule for {@code input_references}: recordings with their transcripts, or an image. Each part
 * is checked here, their combination in {@link ReferenceOrder}. Contract: "POST /audio/speech",
 * "Limits"; speech fact sheet, {@code input_references}.
 */
final class ReferenceParts {
  static final String AUDIO = "input_audio";
  static final String TEXT = "text";
  static final String IMAGE = "image_url";
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
      ReferenceOrder.check(items, context);
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
}
