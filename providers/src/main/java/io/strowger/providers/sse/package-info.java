/**
 * Reads server-sent events from an upstream's body without copying them, in bounded memory. Start
 * reading at {@link io.strowger.providers.sse.SseReader}.
 */
@NullMarked
package io.strowger.providers.sse;

import org.jspecify.annotations.NullMarked;
