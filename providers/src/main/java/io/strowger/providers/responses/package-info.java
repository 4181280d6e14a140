/**
 * Speaks the openai-responses dialect to an upstream: writes bodies from typed requests of its own
 * and of other dialects, reads whole answers and the frames of streams. Start reading at {@code
 * ResponsesCodec}; what it shares with other dialects is in {@link io.strowger.providers.upstream}
 * and {@link io.strowger.providers.translate}.
 */
@NullMarked
package io.strowger.providers.responses;

import org.jspecify.annotations.NullMarked;
