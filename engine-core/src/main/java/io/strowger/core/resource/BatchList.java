package io.strowger.core.resource;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of the batch list. Resources fact sheet, section 6.
 *
 * @param limit how many at most, 1 to 100
 * @param after the last one of the page before; null for the first page
 * @param statuses any of these; empty for all
 * @param createdAfter strictly; null for no bound
 * @param createdBefore strictly; null for no bound
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
