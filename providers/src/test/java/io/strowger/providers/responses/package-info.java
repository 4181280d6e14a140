/**
 * Tests of the requests and answers of the responses dialect. The engine's own decoders read their
 * requests, so that the bodies are those of real callers.
 */
@NullMarked
package io.strowger.providers.responses;

import org.jspecify.annotations.NullMarked;
