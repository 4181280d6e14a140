/**
 * Translates calls to and from the openai-responses dialect: writes bodies from typed requests in
 * this and other dialects, and reads complete answers and stream frames. Start reading at {@code
 * ResponsesCodec}; the code shared with other dialects is in {@link io.strowger.providers.upstream}
 * and {@link io.strowger.providers.translate}.
 */
@NullMarked
package io.strowger.providers.responses;

import org.jspecify.annotations.NullMarked;
