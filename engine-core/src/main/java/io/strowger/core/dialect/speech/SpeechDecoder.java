package io.strowger.core.dialect.speech;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.map;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.speech.SpeechFormat;
import io.strowger.spi.speech.SpeechPreferences;
import io.strowger.spi.speech.SpeechReferences;
import io.strowger.spi.speech.SpeechRequest;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a speech request and notes every problem in it. Contract: "POST /audio/speech",
 * "Limits"; speech fact sheet. Immutable and thread-safe.
 *
 * <p>Unknown members are kept; only {@code provider} must not have any.
 */
public final class SpeechDecoder {
  private static final List<String> FORMATS =
      Arrays.stream(SpeechFormat.values()).map(SpeechFormat::wireName).toList();

  /**
   * {@code provider}, whose members differ from those in other bodies. Unknown members are
   * rejected: if {@code only} or {@code ignore} were silently skipped, the text could be sent to a
   * provider that the caller meant to exclude.
   */
  private static final Rule<SpeechPreferences> PROVIDER =
      members()
          .optional("zdr", bool().orNull())
          .optional("data_collection", wordAmong("allow", "deny").orNull())
          .optional("options", map(object()))
          .closed("is not a member of provider for speech, which has zdr, data_collection, options")
          .as(SpeechDecoder::preferences);

  private static final Rule<SpeechRequest> BODY =
      MemberTable.<Draft>table()
          .required("model", name())
          .required("input", SpeechInput.RULE, (draft, input) -> draft.input = input)
          .required("voice", name())
          .optional("response_format", wordAmong(FORMATS))
          .optional("speed", SpeechDecoder::speed, (draft, factor) -> draft.speed = factor)
          .optional("instructions", string())
          .optional(
              "input_references",
              ReferenceParts.RULE,
              (draft, references) -> draft.references = references)
          .optional("provider", PROVIDER, (draft, preferences) -> draft.provider = preferences)
          .optional("session_id", textUpTo(256))
          .optional("user", textUpTo(256))
          .optional("trace", SharedMembers.TRACE)
          .withSource(Draft::new, SpeechDecoder::request);

  /**
   * Reads a body.
   *
   * @param problems receives the problems of the body
   * @return the request; null when the body has a problem
   */
  public @Nullable SpeechRequest decode(Json.Obj body, Problems problems) {
    return BODY.read(body, new DecodingContext(problems));
  }

  /**
   * Reads a speed above 0. The contract gives no range, but no audio can be played at a speed of 0
   * or less.
   */
  private static @Nullable BigDecimal speed(Json value, DecodingContext context) {
    BigDecimal factor = Rules.number().read(value, context);
    if (factor != null && factor.signum() <= 0) {
      context.reject("must be a number greater than 0", value);
      return null;
    }
    return factor;
  }

  private static SpeechPreferences preferences(Json.Obj provider) {
    Json.Obj options = provider.object("options");
    return new SpeechPreferences(
        Json.TRUE.equals(provider.get("zdr")),
        "deny".equals(provider.text("data_collection")),
        options == null ? Json.Obj.EMPTY : options);
  }

  private static SpeechRequest request(Json.Obj members, Draft draft) {
    String voice = RequiredMember.text(members, "voice");
    String format = members.text("response_format");
    String instructions = members.text("instructions");
    var request =
        SpeechRequest.builder(members, ModelRef.parse(RequiredMember.text(members, "model")), voice)
            .format(
                format == null ? SpeechFormat.PCM : SpeechFormat.ofWireName(format).orElseThrow())
            .speed(draft.speed)
            .instructions(instructions)
            .references(draft.references)
            .preferences(draft.provider)
            .sessionId(members.text("session_id"))
            .user(members.text("user"));
    Objects.requireNonNull(draft.input).putInto(request, voice, instructions);
    return request.build();
  }

  private static final class Draft {
    private @Nullable SpeechInput input;
    private BigDecimal speed = BigDecimal.ONE;
    private SpeechReferences references = SpeechReferences.NONE;
    private SpeechPreferences provider = SpeechPreferences.NONE;
  }
}
