/**
 * Tests that the benchmarks run and measure what they claim. A benchmark whose peer does other work
 * than the engine proves nothing.
 */
@NullMarked
package io.strowger.benchmarks;

import org.jspecify.annotations.NullMarked;
