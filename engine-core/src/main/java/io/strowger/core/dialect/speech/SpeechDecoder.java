package io.strowger.core.dialect.speech;

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
      MemberTable.<PreferencesDraft>table()
          .optional("zdr", bool().orNull(), (draft, zdr) -> draft.zeroRetention = zdr.value())
          .optional(
              "data_collection",
              wordAmong("allow", "deny").orNull(),
              (draft, policy) -> draft.denyCollection = policy.equals("deny"))
          .optional("options", map(object()), (draft, options) -> draft.options = options)
          .closed("is not a member of provider for speech, which has zdr, data_collection, options")
          .build()
          .as(PreferencesDraft::new, PreferencesDraft::preferences);

  private static final MemberTable<Draft> BODY =
      MemberTable.<Draft>table()
          .required("model", name(), (draft, name) -> draft.model = name)
          .required("input", SpeechInput.RULE, (draft, input) -> draft.input = input)
          .required("voice", name(), (draft, voice) -> draft.voice = voice)
          .optional("response_format", wordAmong(FORMATS), Draft::format)
          .optional("speed", SpeechDecoder::speed, (draft, factor) -> draft.speed = factor)
          .optional("instructions", string(), (draft, text) -> draft.instructions = text.text())
          .optional(
              "input_references",
              ReferenceParts.RULE,
              (draft, references) -> draft.references = references)
          .optional("provider", PROVIDER, (draft, preferences) -> draft.provider = preferences)
          .optional("session_id", textUpTo(256), (draft, id) -> draft.sessionId = id)
          .optional("user", textUpTo(256), (draft, id) -> draft.user = id)
          .optional("trace", SharedMembers.TRACE)
          .build();

  /**
   * Reads a body.
   *
   * @param problems receives the problems of the body
   * @return the request; null when the body has a problem
   */
  public @Nullable SpeechRequest decode(Json.Obj body, Problems problems) {
    Rule<SpeechRequest> request = BODY.as(() -> new Draft(body), Draft::request);
    return request.read(body, new DecodingContext(problems));
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

  private static final class Draft {
    private final Json.Obj members;
    private @Nullable String model;
    private @Nullable SpeechInput input;
    private @Nullable String voice;
    private SpeechFormat format = SpeechFormat.PCM;
    private BigDecimal speed = BigDecimal.ONE;
    private @Nullable String instructions;
    private SpeechReferences references = SpeechReferences.NONE;
    private SpeechPreferences provider = SpeechPreferences.NONE;
    private @Nullable String sessionId;
    private @Nullable String user;

    Draft(Json.Obj members) {
      this.members = members;
    }

    void format(String name) {
      format = SpeechFormat.ofWireName(name).orElseThrow();
    }

    SpeechRequest request() {
      String speaker = Objects.requireNonNull(voice);
      var request =
          SpeechRequest.builder(members, ModelRef.parse(Objects.requireNonNull(model)), speaker)
              .format(format)
              .speed(speed)
              .instructions(instructions)
              .references(references)
              .preferences(provider)
              .sessionId(sessionId)
              .user(user);
      Objects.requireNonNull(input).putInto(request, speaker, instructions);
      return request.build();
    }
  }

  private static final class PreferencesDraft {
    private boolean zeroRetention;
    private boolean denyCollection;
    private Json.Obj options = Json.Obj.EMPTY;

    SpeechPreferences preferences() {
      return new SpeechPreferences(zeroRetention, denyCollection, options);
    }
  }
}
