package io.strowger.core.resource;

import org.jspecify.annotations.Nullable;

/**
 * Which destinations to list. Resources fact sheet, section 1.
 *
 * @param workspaceId of one workspace; null for all
 */
public record DestinationList(PageRequest page, @Nullable String workspaceId) {}
