/**
 * Benchmarks of the engine. Each answers one question and measures, in the same run, a floor (the
 * least the work can cost) or a peer (another implementation), because on shared machines only
 * ratios and allocated bytes can be trusted.
 */
@NullMarked
package io.strowger.benchmarks;

import org.jspecify.annotations.NullMarked;
