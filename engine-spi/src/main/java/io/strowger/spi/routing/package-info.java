/**
 * A routing decision: its whole input, its whole output, and the trace that explains it. Start
 * reading at {@link io.strowger.spi.routing.RoutingQuery}.
 */
@NullMarked
package io.strowger.spi.routing;

import org.jspecify.annotations.NullMarked;
