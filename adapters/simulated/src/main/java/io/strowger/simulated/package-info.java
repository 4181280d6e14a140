/**
 * Simulated models: an adapter that generates its answers in this process, and a real HTTP server
 * on loopback that plays an upstream from a script, faults included. For demonstrations, tests and
 * benchmarks; start reading at {@link io.strowger.simulated.SimulatedUpstream}.
 *
 * <p>An upstream's answers are written here without code of the engine or its adapters: a test of
 * that code against itself would not find its mistakes.
 */
@NullMarked
package io.strowger.simulated;

import org.jspecify.annotations.NullMarked;
