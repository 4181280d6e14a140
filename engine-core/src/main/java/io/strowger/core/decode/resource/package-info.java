/**
 * From the bodies that make and change what callers keep - keys, destinations, presets - to typed
 * values, as tables of rules. Start reading at {@link io.strowger.core.decode.resource.KeyDecoder}.
 */
@NullMarked
package io.strowger.core.decode.resource;

import org.jspecify.annotations.NullMarked;
