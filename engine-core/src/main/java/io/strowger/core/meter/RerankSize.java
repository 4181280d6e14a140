package io.strowger.core.meter;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Computes the largest size of a rerank request's input, counted as {@link PromptSize} counts a
 * prompt: a model reads the query with each document. Embeddings fact sheet, {@code /rerank}.
 *
 * <p>A search unit is a query over 100 documents, where a long document counts as several. No
 * provider's pieces are smaller than {@value #PIECE_BYTES} bytes.
 */
final class RerankSize {
  private static final long DOCUMENTS_PER_UNIT = 100;
  private static final long PIECE_BYTES = 250;

  private final long query;
  private long ceiling;
  private long bytes;
  private long longest;
  private long pieces;
  private int modalities = Modality.TEXT.bit();

  private RerankSize(long query) {
    this.query = query;
  }

  /**
   * Returns the size of a request's input.
   *
   * @param members the members of a valid body
   */
  static PromptSize of(Json.Obj members) {
    var size = new RerankSize(text(members.get("query")));
    Json.Arr documents = members.list("documents");
    for (int i = 0; documents != null && i < documents.size(); i++) {
      size.document(documents.get(i));
    }
    return new PromptSize(
        size.ceiling, size.bytes, size.modalities, 0, units(size.pieces), size.longest);
  }

  /** Returns the search units of this many documents or pieces of documents, rounded up. */
  static long units(long pieces) {
    return (pieces + DOCUMENTS_PER_UNIT - 1) / DOCUMENTS_PER_UNIT;
  }

  private void document(Json given) {
    Json.Obj object = given instanceof Json.Obj parts ? parts : Json.Obj.EMPTY;
    long said = query + text(given) + text(object.get("text"));
    bytes += said;
    longest = Math.max(longest, said);
    pieces += Math.max(1, (said + PIECE_BYTES - 1) / PIECE_BYTES);
    ceiling += PromptSize.PER_MESSAGE + said;
    if (object.has("image")) {
      ceiling += PromptSize.PER_IMAGE;
      modalities |= Modality.IMAGE.bit();
    }
  }

  private static long text(@Nullable Json given) {
    return given instanceof Json.Str text ? text.utf8Bound() : 0;
  }
}
