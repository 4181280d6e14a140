/**
 * Tests of the requests and answers of the gemini dialect. {@code GeminiTestRequest} and {@code
 * GeminiFrames} are their helpers.
 */
@NullMarked
package io.strowger.providers.gemini;

import org.jspecify.annotations.NullMarked;
