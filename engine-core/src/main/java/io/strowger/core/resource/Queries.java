package io.strowger.core.resource;

import static io.strowger.core.resource.QueryParameter.AMOUNT;
import static io.strowger.core.resource.QueryParameter.FLAG;
import static io.strowger.core.resource.QueryParameter.INSTANT;
import static io.strowger.core.resource.QueryParameter.TEXT;
import static io.strowger.core.resource.QueryParameter.WORDS;
import static io.strowger.core.resource.QueryParameter.integer;
import static io.strowger.core.resource.QueryParameter.word;

import io.strowger.core.decode.Problems;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the query of every operation that has one. Resources fact sheet, sections 1, 6, 7 and 8.
 * The result is valid only when no problem was noted. Each method takes the raw query string
 * without the question mark, or null. Unknown parameters are ignored.
 */
public final class Queries {
  private static final int KEYS_PER_PAGE = 100;
  private static final QueryParameter<Long> OFFSET = integer(0, Long.MAX_VALUE);

  private static final QueryParameterTable<Draft> PAGE =
      QueryParameterTable.of(Draft::new)
          .optional("offset", OFFSET, (draft, offset) -> draft.offset = offset)
          .optional("limit", integer(1, 100), (draft, limit) -> draft.limit = limit);

  private static final QueryParameterTable<Draft> KEYS =
      QueryParameterTable.of(Draft::new)
          .optional("offset", OFFSET, (draft, offset) -> draft.offset = offset)
          .optional("include_disabled", FLAG, (draft, flag) -> draft.includeDisabled = flag)
          .optional("workspace_id", TEXT, (draft, id) -> draft.workspaceId = id);

  private static final QueryParameterTable<Draft> WORKSPACE =
      QueryParameterTable.of(Draft::new)
          .optional("workspace_id", TEXT, (draft, id) -> draft.workspaceId = id);

  private static final QueryParameterTable<Draft> WORKSPACE_PAGE =
      PAGE.optional("workspace_id", TEXT, (draft, id) -> draft.workspaceId = id);

  private static final QueryParameterTable<Draft> BATCHES =
      QueryParameterTable.of(Draft::new)
          .optional("limit", integer(1, 100), (draft, limit) -> draft.limit = limit)
          .optional("after", TEXT, (draft, after) -> draft.after = after)
          .repeated(
              "status",
              word("validating", "in_progress", "completed", "failed", "expired", "cancelled"),
              (draft, statuses) -> draft.statuses = statuses)
          .optional("created_after", INSTANT, (draft, at) -> draft.createdAfter = at)
          .optional("created_before", INSTANT, (draft, at) -> draft.createdBefore = at);

  private static final QueryParameterTable<Draft> AUDIT_LOG =
      WORKSPACE_PAGE
          .optional("created_after", INSTANT, (draft, at) -> draft.createdAfter = at)
          .optional("created_before", INSTANT, (draft, at) -> draft.createdBefore = at);

  private static final QueryParameterTable<Draft> GENERATION =
      QueryParameterTable.of(Draft::new).required("id", TEXT, (draft, id) -> draft.id = id);

  private static final QueryParameterTable<Draft> MODELS =
      QueryParameterTable.of(Draft::new)
          .optional("offset", OFFSET, (draft, offset) -> draft.offset = offset)
          .optional("limit", integer(1, 1000), (draft, limit) -> draft.limit = limit)
          .optional("output_modalities", WORDS, (draft, words) -> draft.modalities = words)
          .optional("min_price", AMOUNT, (draft, price) -> draft.minPrice = price)
          .optional("max_price", AMOUNT, (draft, price) -> draft.maxPrice = price)
          .optional("context", OFFSET, (draft, tokens) -> draft.minContextLength = tokens)
          .optional("zdr", FLAG, (draft, flag) -> draft.addFilter("zdr", flag.toString()))
          .optional("region", TEXT, (draft, text) -> draft.addFilter("region", text))
          .optional(
              "distillable", FLAG, (draft, flag) -> draft.addFilter("distillable", flag.toString()))
          .optional("providers", TEXT, (draft, text) -> draft.addFilter("providers", text))
          .optional(
              "sort",
              word(ModelList.SORTS.toArray(String[]::new)),
              (draft, text) -> draft.addFilter("sort", text));

  private Queries() {}

  /** Reads the workspace for all other operations of {@code /presets}; null when none is named. */
  public static @Nullable String workspace(@Nullable String raw, Problems problems) {
    return read(WORKSPACE, raw, problems).workspaceId;
  }

  /** Reads the query of {@code GET /keys}. */
  public static KeyList keys(@Nullable String raw, Problems problems) {
    Draft draft = read(KEYS, raw, problems);
    return new KeyList(draft.page(KEYS_PER_PAGE), draft.includeDisabled, draft.workspaceId);
  }

  /**
   * Reads the query of {@code GET /guardrails}, {@code GET /byok} and {@code GET
   * /observability/destinations}.
   */
  public static WorkspacePage workspacePage(@Nullable String raw, Problems problems) {
    Draft draft = read(WORKSPACE_PAGE, raw, problems);
    return new WorkspacePage(draft.page(50), draft.workspaceId);
  }

  /** Reads the query of {@code GET /workspaces} and of the lists of assignments. */
  public static PageRequest page(@Nullable String raw, Problems problems) {
    return read(PAGE, raw, problems).page(50);
  }

  /** Reads the query of {@code GET /audit-log}. */
  public static AuditList auditLog(@Nullable String raw, Problems problems) {
    Draft draft = read(AUDIT_LOG, raw, problems);
    return new AuditList(
        draft.page(50), draft.workspaceId, draft.createdAfter, draft.createdBefore);
  }

  /**
   * Reads the query of {@code GET /batches}. When a problem was noted, the caller throws {@link
   * #invalidBatchQuery}.
   */
  public static BatchList batches(@Nullable String raw, Problems problems) {
    Draft draft = read(BATCHES, raw, problems);
    return new BatchList(
        draft.page(20).limit(),
        draft.after,
        draft.statuses,
        draft.createdAfter,
        draft.createdBefore);
  }

  /** Returns the error for an invalid query of batches. */
  public static GatewayError invalidBatchQuery(Problems problems) {
    return GatewayError.of(ErrorCode.INVALID_REQUEST, "Invalid batch list query.", problems.list());
  }

  /** Reads the id from the query of {@code GET /generation} or {@code GET /generation/content}. */
  public static String generation(@Nullable String raw, Problems problems) {
    return read(GENERATION, raw, problems).id;
  }

  /** Reads the query of {@code GET /models}. */
  public static ModelList models(@Nullable String raw, Problems problems) {
    Draft draft = read(MODELS, raw, problems);
    boolean paged = draft.offset != null || draft.limit != null;
    return new ModelList(
        paged ? draft.page(500) : null,
        draft.modalities,
        new ModelList.PriceRange(draft.minPrice, draft.maxPrice),
        draft.minContextLength,
        draft.filters);
  }

  private static Draft read(
      QueryParameterTable<Draft> table, @Nullable String raw, Problems problems) {
    return table.read(Query.parse(raw, problems), problems);
  }

  private static final class Draft {
    private @Nullable Long offset;
    private @Nullable Long limit;
    private boolean includeDisabled;
    private @Nullable String workspaceId;
    private @Nullable String after;
    private List<String> statuses = List.of();
    private @Nullable Instant createdAfter;
    private @Nullable Instant createdBefore;
    private String id = "";
    private List<String> modalities = List.of("text");
    private @Nullable BigDecimal minPrice;
    private @Nullable BigDecimal maxPrice;
    private long minContextLength;
    private final Map<String, String> filters = new HashMap<>();

    private void addFilter(String filter, String value) {
      filters.put(filter, value);
    }

    private PageRequest page(int defaultLimit) {
      return new PageRequest(
          offset == null ? 0 : offset, limit == null ? defaultLimit : limit.intValue());
    }
  }

  /**
   * A page of a list. Resources fact sheet, section 1.
   *
   * @param offset the number of items to skip, at least 0
   * @param limit the greatest number of items, at least 1
   */
  public record PageRequest(long offset, int limit) {
    public PageRequest {
      if (offset < 0 || limit < 1) {
        throw new IllegalArgumentException(
            "offset must be at least 0 and limit at least 1, were " + offset + " and " + limit);
      }
    }
  }

  /**
   * A page of the resources of one type. Resources fact sheet, section 1.
   *
   * @param workspaceId the workspace whose resources are listed; null for all
   */
  public record WorkspacePage(PageRequest page, @Nullable String workspaceId) {}

  /**
   * The query of {@code GET /keys}. Resources fact sheet, section 1; open question 73.
   *
   * @param page the page, whose limit is fixed
   * @param includeDisabled whether to list disabled keys as well
   * @param workspaceId the workspace whose resources are listed; null for all
   */
  public record KeyList(PageRequest page, boolean includeDisabled, @Nullable String workspaceId) {}

  /**
   * The query of {@code GET /audit-log}.
   *
   * @param workspaceId the id as given; null for all workspaces and the account itself
   * @param createdAfter lists only later entries; null for no bound
   * @param createdBefore lists only earlier entries; null for no bound
   */
  public record AuditList(
      PageRequest page,
      @Nullable String workspaceId,
      @Nullable Instant createdAfter,
      @Nullable Instant createdBefore) {}

  /**
   * The query of the batch list. Resources fact sheet, section 6.
   *
   * @param limit the greatest number of batches, 1 to 100
   * @param after the id of the last batch of the page before; null for the first page
   * @param statuses the statuses to list; empty for all
   * @param createdAfter lists only batches created later; null for no bound
   * @param createdBefore lists only batches created earlier; null for no bound
   */
  public record BatchList(
      int limit,
      @Nullable String after,
      List<String> statuses,
      @Nullable Instant createdAfter,
      @Nullable Instant createdBefore) {
    public BatchList {
      statuses = List.copyOf(statuses);
    }
  }

  /**
   * The query of {@code GET /models}. Resources fact sheet, section 8.
   *
   * @param page the page; null for the full list
   * @param outputModalities a model must have one of these; {@code text} by default
   * @param priceRange the range of prices, in US dollars per million tokens
   * @param minContextLength the minimum context length, in tokens; 0 for any
   * @param filters further filters by name, as the caller sent them: {@code zdr} and {@code
   *     distillable} are {@code true} or {@code false}, {@code sort} one of {@link #SORTS}, {@code
   *     region} and {@code providers} any text
   */
  public record ModelList(
      @Nullable PageRequest page,
      List<String> outputModalities,
      PriceRange priceRange,
      long minContextLength,
      Map<String, String> filters) {
    /** The allowed values of {@code sort}. */
    public static final List<String> SORTS =
        List.of(
            "newest",
            "price",
            "pricing-low-to-high",
            "pricing-high-to-low",
            "context",
            "context-high-to-low",
            "throughput",
            "throughput-high-to-low",
            "latency",
            "latency-low-to-high");

    /**
     * A range of prices.
     *
     * @param min the lowest price, inclusive; null for no bound
     * @param max the highest price, inclusive; null for no bound
     */
    public record PriceRange(@Nullable BigDecimal min, @Nullable BigDecimal max) {}

    public ModelList {
      outputModalities = List.copyOf(outputModalities);
      filters = Map.copyOf(filters);
    }
  }
}
