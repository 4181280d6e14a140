/**
 * Benchmarks of the engine. Each answers one question and measures, in the same run, a lower bound
 * (the least the work can cost, called floor in reports) or another implementation (called peer),
 * because on shared machines only ratios and allocated bytes can be trusted. A target such as R1 is
 * one of those that {@link io.strowger.benchmarks.Target} lists.
 */
@NullMarked
package io.strowger.benchmarks;

import org.jspecify.annotations.NullMarked;
