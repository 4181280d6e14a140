/**
 * The responses dialect of callers: reads its requests and writes its answers. Start reading at
 * {@link io.strowger.core.dialect.responses.ResponsesDecoder} and {@link
 * io.strowger.core.dialect.responses.ResponsesFormat}.
 */
@NullMarked
package io.strowger.core.dialect.responses;

import org.jspecify.annotations.NullMarked;
