/**
 * Speaks the gemini dialect to an upstream: {@code generateContent}, whole or as a stream. No
 * caller speaks it, so every body is written from the engine's own form, and every answer read into
 * it. Start reading at {@link io.strowger.providers.gemini.GeminiCodec}; what it shares with other
 * dialects is in {@link io.strowger.providers.upstream} and {@link
 * io.strowger.providers.translate}.
 */
@NullMarked
package io.strowger.providers.gemini;

import org.jspecify.annotations.NullMarked;
