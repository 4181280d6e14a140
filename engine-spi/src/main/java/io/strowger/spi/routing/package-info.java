/**
 * The part of routing that plugin authors see: a caller's preferences and the trace that explains a
 * decision. Start reading at {@link io.strowger.spi.routing.TraceEntry}.
 */
@NullMarked
package io.strowger.spi.routing;

import org.jspecify.annotations.NullMarked;
