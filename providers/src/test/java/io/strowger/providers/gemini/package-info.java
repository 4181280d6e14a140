/**
 * Tests of what is sent to upstreams of the gemini dialect, and of what their answers are read as.
 * The words they are described with are in {@code Bodies} and {@code Frames}.
 */
@NullMarked
package io.strowger.providers.gemini;

import org.jspecify.annotations.NullMarked;
