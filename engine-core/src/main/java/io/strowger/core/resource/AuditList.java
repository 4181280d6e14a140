package io.strowger.core.resource;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The query of {@code GET /audit-log}.
 *
 * @param workspaceId as it was given; null: of all workspaces and of the account
 * @param createdAfter only later ones; null: from the first
 * @param createdBefore only earlier ones; null: to the last
 */
public record AuditList(
    PageRequest page,
    @Nullable String workspaceId,
    @Nullable Instant createdAfter,
    @Nullable Instant createdBefore) {}
