/**
 * The resources of the API, such as keys, destinations and presets: their values, the bodies that
 * create and change them, and the queries that list them. Start reading at {@link
 * io.strowger.core.resource.ResourceType} and {@link io.strowger.core.resource.WorkspaceTable}.
 */
@NullMarked
package io.strowger.core.resource;

import org.jspecify.annotations.NullMarked;
