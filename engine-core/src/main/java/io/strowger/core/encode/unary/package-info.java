/** Answers that are one document and no conversation. Start reading at {@code UnaryFormat}. */
@NullMarked
package io.strowger.core.encode.unary;

import org.jspecify.annotations.NullMarked;
