/**
 * Reads the body of a responses request: one table per item, part and tool, in the order of the
 * responses fact sheet. Start reading at {@link
 * io.strowger.core.decode.responses.ResponsesDecoder}.
 */
@NullMarked
package io.strowger.core.decode.responses;

import org.jspecify.annotations.NullMarked;
