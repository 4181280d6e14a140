/**
 * The whole HTTP surface as one function, for any server to call. Start reading at {@link
 * io.strowger.core.wire.WireApi}.
 */
@NullMarked
package io.strowger.core.wire;

import org.jspecify.annotations.NullMarked;
