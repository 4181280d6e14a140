/**
 * The whole HTTP API as one function that any server can call. Start reading at {@link
 * io.strowger.core.wire.WireApi}.
 */
@NullMarked
package io.strowger.core.wire;

import org.jspecify.annotations.NullMarked;
