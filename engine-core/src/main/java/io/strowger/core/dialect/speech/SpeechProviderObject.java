package io.strowger.core.dialect.speech;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.map;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.speech.SpeechPreferences;

/**
 * {@code provider} of a speech request. Contract: "POST /audio/speech"; speech fact sheet, {@code
 * provider}.
 *
 * <p>It is not the provider object of the other bodies, but closed as that is: {@code only} or
 * {@code ignore} of a caller who takes it for that one must not be passed over in silence, and the
 * text be sent to whom it was to be kept from.
 */
final class SpeechProviderObject {
  static final Rule<SpeechPreferences> RULE =
      MemberTable.<Draft>table()
          .optional("zdr", bool().orNull(), (draft, zdr) -> draft.zeroRetention = zdr.value())
          .optional(
              "data_collection",
              wordAmong("allow", "deny").orNull(),
              (draft, policy) -> draft.denyCollection = policy.equals("deny"))
          .optional("options", map(object()), (draft, options) -> draft.options = options)
          .closed("is not a member of a speech provider: zdr, data_collection, options")
          .build()
          .as(Draft::new, Draft::preferences);

  private SpeechProviderObject() {}

  private static final class Draft {
    private boolean zeroRetention;
    private boolean denyCollection;
    private Json.Obj options = Json.Obj.EMPTY;

    SpeechPreferences preferences() {
      return new SpeechPreferences(zeroRetention, denyCollection, options);
    }
  }
}
