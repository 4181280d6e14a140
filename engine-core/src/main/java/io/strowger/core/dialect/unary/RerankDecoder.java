package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.RerankRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;
import java.util.Objects;
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
      MemberTable.<DocumentDraft>table()
          .optional("text", string(), (draft, text) -> draft.text = text)
          .optional("image", IMAGE, (draft, image) -> draft.image = image)
          .build()
          .withSource(DocumentDraft::new, (object, draft) -> draft.document());

  private static final Rule<RerankRequest.Document> DOCUMENT =
      ByJsonType.<RerankRequest.Document>of("must be a string or an object of text and image")
          .string(string().to(text -> new RerankRequest.Document(text, null)))
          .object(RerankDecoder::readDocument);

  private static final MemberTable<Draft> BODY =
      MemberTable.<Draft>table()
          .required("model", name(), (draft, name) -> draft.model = name)
          .required("query", string(), (draft, query) -> draft.query = query)
          .required(
              "documents",
              list(DOCUMENT, 1, Integer.MAX_VALUE),
              (draft, documents) -> draft.documents = documents)
          .optional("top_n", integerAtLeast(1), (draft, count) -> draft.topN = count)
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
  public @Nullable RerankRequest decode(Json.Obj body, Problems problems) {
    return BODY.withSource(Draft::new, (object, draft) -> draft.request(object))
        .read(body, new DecodingContext(problems));
  }

  private static RerankRequest.@Nullable Document readDocument(
      Json value, DecodingContext context) {
    if (value instanceof Json.Obj object && !object.has("text") && !object.has("image")) {
      context.reject("must have a text or an image", value);
      return null;
    }
    return PARTS.read(value, context);
  }

  private static final class DocumentDraft {
    private Json.@Nullable Str text;
    private @Nullable Json image;

    RerankRequest.Document document() {
      return new RerankRequest.Document(text, image);
    }
  }

  private static final class Draft {
    private @Nullable String model;
    private Json.@Nullable Str query;
    private List<RerankRequest.Document> documents = List.of();
    private long topN;
    private @Nullable String user;
    private ProviderPreferences provider = ProviderPreferences.NONE;

    RerankRequest request(Json.Obj members) {
      return new RerankRequest(
          members,
          ModelRef.parse(Objects.requireNonNull(model)),
          Objects.requireNonNull(query),
          documents,
          topN,
          provider,
          user);
    }
  }
}
