/** Tests of the measurement of what hostile clients and upstreams cost other clients. */
@NullMarked
package io.strowger.benchmarks.safety;

import org.jspecify.annotations.NullMarked;
