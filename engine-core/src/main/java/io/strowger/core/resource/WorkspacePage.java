package io.strowger.core.resource;

import org.jspecify.annotations.Nullable;

/**
 * A part of what there is of a kind. Resources fact sheet, section 1.
 *
 * @param workspaceId of one workspace; null for all
 */
public record WorkspacePage(PageRequest page, @Nullable String workspaceId) {}
