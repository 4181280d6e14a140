package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a transcription request, as JSON or as a form, and notes every problem in it. Embeddings
 * fact sheet, {@code /audio/transcriptions}. Immutable and thread-safe.
 *
 * <p>Unknown members are kept; only {@code provider} rejects them.
 */
public final class TranscriptionDecoder {
  /** The member of a JSON body that holds the recording. */
  public static final String AUDIO = "input_audio";

  /** A format, which also becomes part of a file name. */
  private static final Pattern FORMAT = Pattern.compile("[a-z0-9]{1,16}");

  private static final Rule<UploadedFile> RECORDING =
      MemberTable.<AudioDraft>table()
          .required("data", TranscriptionDecoder::audioBytes, (draft, bytes) -> draft.bytes = bytes)
          .required(
              "format",
              matching(
                  FORMAT, "must be a format such as mp3: 1 to 16 lower-case letters and digits"),
              (draft, format) -> draft.format = format)
          .as(AudioDraft::new, AudioDraft::upload);

  private static final MemberTable<Draft> FORM_FIELDS = table().build();

  private static final Rule<TranscriptionRequest> BODY =
      table()
          .required(AUDIO, RECORDING, (draft, audio) -> draft.audio = audio)
          .withSource(Draft::new, (body, draft) -> request(body.without(AUDIO).detached(), draft));

  private static MemberTable.Builder<Draft> table() {
    return MemberTable.<Draft>table()
        .required("model", name())
        .optional("language", string())
        .optional("temperature", number())
        .optional("response_format", wordAmong("json", "verbose_json"))
        .optional("timestamp_granularities", list(wordAmong("word", "segment")))
        .optional("stream", SharedMembers.NOT_STREAMED)
        .optional("user", string())
        .optional(
            "provider",
            ProviderObject.WITH_OPTIONS.orNull(),
            (draft, preferences) -> draft.provider = preferences);
  }

  /**
   * Reads a JSON body. Its recording becomes a file and is removed from the request's members.
   *
   * @param problems receives the problems of the body
   * @return the request; null when the body has a problem
   */
  public @Nullable TranscriptionRequest decode(Json.Obj body, Problems problems) {
    return BODY.read(body, new DecodingContext(problems));
  }

  /**
   * Reads the fields of a form that has a file.
   *
   * @param file the uploaded file; null when there is none
   * @param problems receives the problems of the form
   * @return the request; null when the form has a problem
   */
  public @Nullable TranscriptionRequest decode(
      Json.Obj members, @Nullable UploadedFile file, Problems problems) {
    if (file == null) {
      problems.addMissing(JsonPointer.ROOT.child("file"));
    }
    int problemsBefore = problems.count();
    var draft = new Draft();
    draft.audio = file;
    FORM_FIELDS.read(members, new DecodingContext(problems), draft);
    return file == null || problems.count() > problemsBefore ? null : request(members, draft);
  }

  private static byte @Nullable [] audioBytes(Json value, DecodingContext context) {
    Json.Str text = string().read(value, context);
    if (text == null) {
      return null;
    }
    byte[] bytes = decodeBase64(text.text());
    if (bytes == null || bytes.length == 0) {
      context.reject("must be base64 that is not empty and has no data: prefix", value);
      return null;
    }
    return bytes;
  }

  private static byte @Nullable [] decodeBase64(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static final class AudioDraft {
    private byte @Nullable [] bytes;
    private @Nullable String format;

    UploadedFile upload() {
      byte[] content = Objects.requireNonNull(bytes);
      return new UploadedFile(content, 0, content.length, Objects.requireNonNull(format));
    }
  }

  private static TranscriptionRequest request(Json.Obj members, Draft draft) {
    return new TranscriptionRequest(
        members,
        ModelRef.parse(RequiredMember.text(members, "model")),
        Objects.requireNonNull(draft.audio),
        "verbose_json".equals(members.text("response_format")),
        draft.provider,
        members.text("user"));
  }

  private static final class Draft {
    private @Nullable UploadedFile audio;
    private ProviderPreferences provider = ProviderPreferences.NONE;
  }
}
