package io.strowger.core.resource;

import org.jspecify.annotations.Nullable;

/**
 * The query of {@code GET /keys}. Resources fact sheet, section 1; open question 73.
 *
 * @param page its limit is fixed
 * @param includeDisabled disabled ones as well
 * @param workspaceId of one workspace; null for all
 */
public record KeyList(PageRequest page, boolean includeDisabled, @Nullable String workspaceId) {}
