/**
 * Tests of what the responses dialect is written as. Requests are read by the engine's own decoder,
 * so that what is written is what a caller said.
 */
@NullMarked
package io.strowger.providers.responses;

import org.jspecify.annotations.NullMarked;
