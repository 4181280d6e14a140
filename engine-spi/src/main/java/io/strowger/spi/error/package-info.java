/**
 * Errors as values: the closed list of error codes, the problems found in a body, and the one
 * exception that carries an error over a boundary. Start reading at {@link
 * io.strowger.spi.error.ErrorCode}.
 */
@NullMarked
package io.strowger.spi.error;

import org.jspecify.annotations.NullMarked;
