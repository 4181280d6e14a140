package io.strowger.core.dialect.speech;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;
import io.strowger.spi.speech.SpeechReferences;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  private static final Rule<Recording> RECORDING =
      MemberTable.<Draft>table()
          .required("data", string(1, MAX_DATA_CHARS), (draft, data) -> draft.data = data)
          .optional("format", string(), (draft, format) -> draft.format = format.text())
          .build()
          .as(Draft::new, draft -> new Recording(nonNull(draft.data), draft.format));

  private static final Rule<Picture> PICTURE =
      MemberTable.<Draft>table()
          .required("url", string(), (draft, url) -> draft.data = url)
          .build()
          .as(Draft::new, draft -> new Picture(nonNull(draft.data)));

  private static final Rule<Transcript> TRANSCRIPT =
      MemberTable.<Draft>table()
          .required(TEXT, textUpTo(MAX_TRANSCRIPT_CHARS), (draft, text) -> draft.text = text)
          .build()
          .as(Draft::new, draft -> new Transcript(nonNull(draft.text)));

  private static final Rule<List<Part>> PARTS =
      list(
          Union.<Part>on("type")
              .when(AUDIO, objectMember(AUDIO, RECORDING))
              .when(TEXT, TRANSCRIPT)
              .when(IMAGE, objectMember(IMAGE, PICTURE)));

  static final Rule<SpeechReferences> RULE = ReferenceParts::read;

  private ReferenceParts() {}

  private static Rule<Part> objectMember(String member, Rule<? extends Part> rule) {
    return MemberTable.<Draft>table()
        .required(member, rule, (draft, part) -> draft.part = part)
        .build()
        .as(Draft::new, draft -> nonNull(draft.part));
  }

  private static <T> T nonNull(@Nullable T required) {
    return Objects.requireNonNull(required);
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

  private static final class Draft {
    private @Nullable Part part;
    private Json.@Nullable Str data;
    private @Nullable String format;
    private @Nullable String text;
  }
}
