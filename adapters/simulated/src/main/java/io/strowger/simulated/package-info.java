/**
 * Models that are not there: an adapter that makes its answers up in this process, and a real HTTP
 * server on loopback that plays an upstream from a script, faults included. For demonstrations,
 * tests and benchmarks; start reading at {@link io.strowger.simulated.SimulatedUpstream}.
 *
 * <p>What an upstream says is written here and by nothing of the engine or its adapters: who is
 * tested against words of its own finds no mistake in them.
 */
@NullMarked
package io.strowger.simulated;

import org.jspecify.annotations.NullMarked;
