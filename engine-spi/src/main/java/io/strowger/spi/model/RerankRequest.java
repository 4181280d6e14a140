package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to order documents by how well they answer a query. Embeddings fact sheet, {@code
 * /rerank}.
 *
 * @param members the document as it was read, including members without a typed form
 * @param documents the documents to order, at least one
 * @param topN the number of best results wanted, at least 1; 0 when the caller wants all
 * @param user the caller's own end user; null when not named
 */
public record RerankRequest(
    Json.Obj members,
    ModelRef model,
    Json.Str query,
    List<Document> documents,
    long topN,
    ProviderPreferences preferences,
    @Nullable String user)
    implements UnaryRequest {
  public RerankRequest {
    Objects.requireNonNull(members, "members");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(query, "query");
    documents = List.copyOf(documents);
    Objects.requireNonNull(preferences, "preferences");
    if (documents.isEmpty()) {
      throw new IllegalArgumentException("documents must not be empty");
    }
  }

  /** Returns the number of results an answer has. */
  public int results() {
    return topN > 0 ? (int) Math.min(topN, documents.size()) : documents.size();
  }

  /**
   * One document: a text, an image or both; at least one of the two is present.
   *
   * @param text the text; null when the document has none
   * @param image the image, a JSON string or object as received; null when the document has none
   */
  public record Document(Json.@Nullable Str text, @Nullable Json image) {
    /** Returns this document as an object of {@code text} and {@code image}. */
    public Json.Obj toJson() {
      Json.Obj.Builder object = Json.object();
      if (text != null) {
        object.put("text", text);
      }
      if (image != null) {
        object.put("image", image);
      }
      return object.build();
    }
  }
}
