/**
 * Translates calls to the gemini dialect of upstreams: {@code generateContent}, whole or streamed.
 * No caller speaks this dialect, so every body is written from the typed request, and every answer
 * is read into typed parts. Start reading at {@link io.strowger.providers.gemini.GeminiCodec}; the
 * code shared with other dialects is in {@link io.strowger.providers.upstream} and {@link
 * io.strowger.providers.translate}.
 */
@NullMarked
package io.strowger.providers.gemini;

import org.jspecify.annotations.NullMarked;
