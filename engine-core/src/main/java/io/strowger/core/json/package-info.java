/**
 * The engine's JSON reader: one streaming pass over the bytes gives values that know where they
 * stand in them. Start reading at {@link io.strowger.core.json.JacksonCodec}.
 */
@NullMarked
package io.strowger.core.json;

import org.jspecify.annotations.NullMarked;
