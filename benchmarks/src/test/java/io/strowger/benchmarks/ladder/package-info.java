/**
 * Tests that every rung of the ladder does the same work, and that its report shows what was
 * measured.
 */
@NullMarked
package io.strowger.benchmarks.ladder;

import org.jspecify.annotations.NullMarked;
