/**
 * The resources of the wire, such as keys, destinations and presets: their values, the bodies that
 * create and change them, and the queries that list them. Start reading at {@link
 * io.strowger.core.resource.KeyCreate} and {@link io.strowger.core.resource.KeyDecoder}.
 */
@NullMarked
package io.strowger.core.resource;

import org.jspecify.annotations.NullMarked;
