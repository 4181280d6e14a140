/**
 * Holds that every rung of the ladder does the same work, and that its report says what was done.
 */
@NullMarked
package io.strowger.benchmarks.ladder;

import org.jspecify.annotations.NullMarked;
