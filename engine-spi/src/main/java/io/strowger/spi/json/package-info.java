/**
 * Immutable JSON values, the pointers that name places in them, and the buffer they are written to.
 * There is no parser here: a parser hands in the positions it found through {@link
 * io.strowger.spi.json.JsonSource}, so that a value can be written back with the very bytes it came
 * from. Start reading at {@link io.strowger.spi.json.Json}.
 */
@NullMarked
package io.strowger.spi.json;

import org.jspecify.annotations.NullMarked;
