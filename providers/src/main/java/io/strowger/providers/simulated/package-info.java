/**
 * Models that are not there: an adapter that makes its answers up in this process, and a real HTTP
 * server on loopback that plays an upstream from a script, faults included. For demonstrations,
 * tests and benchmarks; start reading at {@link io.strowger.providers.simulated.SimulatedUpstream}.
 */
@NullMarked
package io.strowger.providers.simulated;

import org.jspecify.annotations.NullMarked;
