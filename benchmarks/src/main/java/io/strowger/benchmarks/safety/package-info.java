/**
 * Measures what hostile clients and broken upstreams cost other clients: {@code ./gateway bench
 * safety}. Start reading at {@link io.strowger.benchmarks.safety.SafetyBench}, which also lists the
 * rows.
 */
@NullMarked
package io.strowger.benchmarks.safety;

import org.jspecify.annotations.NullMarked;
