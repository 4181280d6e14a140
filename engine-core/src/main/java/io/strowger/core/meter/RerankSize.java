package io.strowger.core.meter;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Computes the largest size of a rerank request's input, counted as {@link PromptSize} counts a
 * prompt: a model reads the query with each document. Embeddings fact sheet, {@code /rerank}.
 *
 * <p>A search unit is a query over 100 documents, where a long document counts as several. No
 * provider's pieces are smaller than {@value #PIECE_BYTES} bytes.
 */
public final class RerankSize {
  private static final long DOCUMENTS_PER_UNIT = 100;
  private static final long PIECE_BYTES = 250;

  private final long queryBytes;
  private long maxTokens;
  private long bytes;
  private long longestTextBytes;
  private long pieces;
  private int modalities = Modality.TEXT.bit();

  private RerankSize(long queryBytes) {
    this.queryBytes = queryBytes;
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
        size.maxTokens, size.bytes, size.modalities, 0, units(size.pieces), size.longestTextBytes);
  }

  /**
   * Returns the usage of a rerank. Units are estimated where they have a price and the upstream
   * counts none, or reports more than the request can take; the estimate assumes short documents.
   *
   * @param reportedUsage the upstream's own count; null when it gave none
   * @param members the members of a valid body
   */
  public static Usage used(@Nullable Usage reportedUsage, Json.Obj members, Pricing pricing) {
    Usage usage = reportedUsage == null ? Usage.NONE : reportedUsage;
    boolean isPlausible = usage.searchUnits() > 0 && usage.searchUnits() <= of(members).units();
    if (isPlausible || usage.searchUnits() == 0 && !pricing.isGiven(Price.SEARCH_UNITS)) {
      return usage;
    }
    Json.Arr documents = members.list("documents");
    long units = units(documents == null ? 0 : documents.size());
    return usage.toBuilder().searchUnits(units).estimated(true).build();
  }

  /** Returns the search units of this many documents or pieces of documents, rounded up. */
  private static long units(long pieces) {
    return (pieces + DOCUMENTS_PER_UNIT - 1) / DOCUMENTS_PER_UNIT;
  }

  private void document(Json document) {
    Json.Obj object = document instanceof Json.Obj parts ? parts : Json.Obj.EMPTY;
    long textBytes = queryBytes + text(document) + text(object.get("text"));
    bytes += textBytes;
    longestTextBytes = Math.max(longestTextBytes, textBytes);
    pieces += Math.max(1, (textBytes + PIECE_BYTES - 1) / PIECE_BYTES);
    maxTokens += PromptSize.PER_MESSAGE + textBytes;
    if (object.has("image")) {
      maxTokens += PromptSize.PER_IMAGE;
      modalities |= Modality.IMAGE.bit();
    }
  }

  private static long text(@Nullable Json value) {
    return value instanceof Json.Str text ? text.utf8Bound() : 0;
  }
}
