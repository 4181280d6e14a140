package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.model.EmbeddingsRequest.Encoding;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of an embeddings request and notes every problem in it. Embeddings fact sheet.
 * Immutable and thread-safe.
 *
 * <p>Unknown members are kept; only {@code provider} rejects them.
 */
public final class EmbeddingsDecoder {
  private static final Rule<EmbeddingsRequest> BODY =
      MemberTable.<Draft>table()
          .required("model", name())
          .required("input", InputForms.RULE, (draft, input) -> draft.input = input)
          .optional("encoding_format", wordAmong("float", "base64"))
          .optional("dimensions", integerAtLeast(1))
          .optional("input_type", string())
          .optional("user", string())
          .optional(
              "provider",
              ProviderObject.RULE.orNull(),
              (draft, preferences) -> draft.provider = preferences)
          .withSource(Draft::new, EmbeddingsDecoder::request);

  /**
   * Reads a body.
   *
   * @param problems receives the problems of the body
   * @return the request; null when the body has a problem
   */
  public @Nullable EmbeddingsRequest decode(Json.Obj body, Problems problems) {
    return BODY.read(body, new DecodingContext(problems));
  }

  private static EmbeddingsRequest request(Json.Obj members, Draft draft) {
    String encoding = members.text("encoding_format");
    return EmbeddingsRequest.builder(
            members,
            ModelRef.parse(RequiredMember.text(members, "model")),
            Objects.requireNonNull(draft.input))
        .encoding(encoding == null ? null : Encoding.valueOf(encoding.toUpperCase(Locale.ROOT)))
        .dimensions(members.longValue("dimensions", 0))
        .inputType(members.text("input_type"))
        .user(members.text("user"))
        .preferences(draft.provider)
        .build();
  }

  private static final class Draft {
    private @Nullable EmbeddingsInput input;
    private ProviderPreferences provider = ProviderPreferences.NONE;
  }
}
