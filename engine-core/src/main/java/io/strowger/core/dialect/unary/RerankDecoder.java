package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.RerankRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a rerank request and notes every problem in it. Embeddings fact sheet, {@code
 * /rerank}. Immutable and thread-safe.
 *
 * <p>Unknown members are kept; only {@code provider} rejects them.
 */
public final class RerankDecoder {
  private static final Rule<Json> IMAGE =
      ByJsonType.<Json>of("must be a string or an object")
          .string(string().asJson())
          .object(object().asJson());

  private static final Rule<RerankRequest.Document> PARTS =
      members()
          .optional("text", string())
          .optional("image", IMAGE)
          .as(
              parts ->
                  new RerankRequest.Document(
                      parts.get("text") instanceof Json.Str text ? text : null,
                      parts.get("image")));

  private static final Rule<RerankRequest.Document> DOCUMENT =
      ByJsonType.<RerankRequest.Document>of("must be a string or an object of text and image")
          .string(string().to(text -> new RerankRequest.Document(text, null)))
          .object(RerankDecoder::readDocument);

  private static final Rule<RerankRequest> BODY =
      MemberTable.<Draft>table()
          .required("model", name())
          .required("query", string())
          .required(
              "documents",
              list(DOCUMENT, 1, Integer.MAX_VALUE),
              (draft, documents) -> draft.documents = documents)
          .optional("top_n", integerAtLeast(1))
          .optional("user", string())
          .optional(
              "provider",
              ProviderObject.RULE.orNull(),
              (draft, preferences) -> draft.provider = preferences)
          .withSource(Draft::new, RerankDecoder::request);

  /**
   * Reads a body.
   *
   * @param problems receives the problems of the body
   * @return the request; null when the body has a problem
   */
  public @Nullable RerankRequest decode(Json.Obj body, Problems problems) {
    return BODY.read(body, new DecodingContext(problems));
  }

  private static RerankRequest.@Nullable Document readDocument(
      Json value, DecodingContext context) {
    if (value instanceof Json.Obj object && !object.has("text") && !object.has("image")) {
      context.reject("must have a text or an image", value);
      return null;
    }
    return PARTS.read(value, context);
  }

  private static RerankRequest request(Json.Obj members, Draft draft) {
    return new RerankRequest(
        members,
        ModelRef.parse(RequiredMember.text(members, "model")),
        RequiredMember.string(members, "query"),
        draft.documents,
        members.longValue("top_n", 0),
        draft.provider,
        members.text("user"));
  }

  private static final class Draft {
    private List<RerankRequest.Document> documents = List.of();
    private ProviderPreferences provider = ProviderPreferences.NONE;
  }
}
