/**
 * The engine's JSON reader: one streaming pass over the bytes of a document makes values that know
 * their place in those bytes. Start reading at {@link io.strowger.core.json.JacksonCodec}.
 */
@NullMarked
package io.strowger.core.json;

import org.jspecify.annotations.NullMarked;
