/**
 * The engine's JSON reader: one streaming pass over the bytes makes values that know their place in
 * them. Start reading at {@link io.strowger.core.json.JacksonCodec}.
 */
@NullMarked
package io.strowger.core.json;

import org.jspecify.annotations.NullMarked;
