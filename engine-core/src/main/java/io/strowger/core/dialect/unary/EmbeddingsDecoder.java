package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.model.EmbeddingsRequest.Encoding;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of an embeddings request and notes every problem in it. Embeddings fact sheet.
 * Immutable and thread-safe.
 *
 * <p>Unknown members are kept; only {@code provider} rejects them.
 */
public final class EmbeddingsDecoder {
  private static final MemberTable<Draft> BODY =
      MemberTable.<Draft>table()
          .required("model", name(), (draft, name) -> draft.model = name)
          .required("input", InputForms.RULE, (draft, input) -> draft.input = input)
          .optional("encoding_format", wordAmong("float", "base64"), Draft::encoding)
          .optional("dimensions", integerAtLeast(1), (draft, count) -> draft.dimensions = count)
          .optional("input_type", string(), (draft, type) -> draft.inputType = type.text())
          .optional("user", string(), (draft, user) -> draft.user = user.text())
          .optional(
              "provider",
              ProviderObject.RULE.orNull(),
              (draft, preferences) -> draft.provider = preferences)
          .build();

  /**
   * Reads a body.
   *
   * @param problems receives the problems of the body
   * @return the request; null when the body has a problem
   */
  public @Nullable EmbeddingsRequest decode(Json.Obj body, Problems problems) {
    Rule<EmbeddingsRequest> request = BODY.as(() -> new Draft(body), Draft::request);
    return request.read(body, new DecodingContext(problems));
  }

  private static final class Draft {
    private final Json.Obj members;
    private @Nullable String model;
    private @Nullable EmbeddingsInput input;
    private @Nullable Encoding encoding;
    private long dimensions;
    private @Nullable String inputType;
    private @Nullable String user;
    private ProviderPreferences provider = ProviderPreferences.NONE;

    Draft(Json.Obj members) {
      this.members = members;
    }

    void encoding(String name) {
      encoding = name.equals("base64") ? Encoding.BASE64 : Encoding.FLOAT;
    }

    EmbeddingsRequest request() {
      return EmbeddingsRequest.builder(
              members, ModelRef.parse(Objects.requireNonNull(model)), Objects.requireNonNull(input))
          .encoding(encoding)
          .dimensions(dimensions)
          .inputType(inputType)
          .user(user)
          .preferences(provider)
          .build();
    }
  }
}
