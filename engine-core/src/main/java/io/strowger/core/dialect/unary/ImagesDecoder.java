package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.ImagesRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request for images and notes every problem in it. Embeddings fact sheet,
 * {@code /images}. Immutable and thread-safe.
 *
 * <p>The sheet calls the list of aspect ratios closed but does not show it; the list here is that
 * of the models in use. Images are not streamed, so {@code stream} must not be true. Unknown
 * members are kept; only {@code provider} rejects them.
 */
public final class ImagesDecoder {
  private static final int MAX_REFERENCES = 16;

  private static final Rule<Json.Obj> URL = members().required("url", string()).asJson();

  private static final Rule<Json.Obj> REFERENCE =
      Union.<Json.Obj>on("type").when("image_url", members().required("image_url", URL).asJson());

  private static final Rule<ImagesRequest> BODY =
      MemberTable.<Draft>table()
          .required("model", name())
          .required("prompt", string(1, Integer.MAX_VALUE))
          .optional("n", integer(1, ImagesRequest.MAX_COUNT))
          .optional("size", string())
          .optional("resolution", wordAmong("512", "1K", "2K", "4K"))
          .optional(
              "aspect_ratio",
              wordAmong("1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"))
          .optional("quality", wordAmong("auto", "low", "medium", "high"))
          .optional("background", wordAmong("auto", "transparent", "opaque"))
          .optional("output_format", wordAmong("png", "jpeg", "webp", "svg"))
          .optional("output_compression", integer(0, 100))
          .optional("input_references", items(REFERENCE, 0, MAX_REFERENCES))
          .optional("seed", integer())
          .optional("stream", SharedMembers.NOT_STREAMED)
          .optional("user", string())
          .optional(
              "provider",
              ProviderObject.WITH_OPTIONS.orNull(),
              (draft, preferences) -> draft.provider = preferences)
          .withSource(Draft::new, (members, draft) -> request(members, draft.provider));

  /**
   * Reads a body.
   *
   * @param problems receives the problems of the body
   * @return the request; null when the body has a problem
   */
  public @Nullable ImagesRequest decode(Json.Obj body, Problems problems) {
    return BODY.read(body, new DecodingContext(problems));
  }

  private static ImagesRequest request(Json.Obj members, ProviderPreferences provider) {
    return new ImagesRequest(
        members,
        ModelRef.parse(RequiredMember.text(members, "model")),
        RequiredMember.string(members, "prompt"),
        (int) members.longValue("n", 1),
        provider,
        members.text("user"));
  }

  private static final class Draft {
    private ProviderPreferences provider = ProviderPreferences.NONE;
  }
}
