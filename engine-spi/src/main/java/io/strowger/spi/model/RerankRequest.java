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
 * @param members the document as it was read, for members nobody knows
 * @param documents at least one
 * @param topN how many of the best are wanted, at least 1; 0 when the caller wants all
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

  /** How many results an answer has. */
  public int results() {
    return topN > 0 ? (int) Math.min(topN, documents.size()) : documents.size();
  }

  /**
   * One document: a text, an image, or both; never neither.
   *
   * @param text null when it has none
   * @param image a string or an object, as it came; null when it has none
   */
  public record Document(Json.@Nullable Str text, @Nullable Json image) {
    /** Returns it as an object of {@code text} and {@code image}. */
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
