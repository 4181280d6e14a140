/**
 * The whole input and the whole output of a routing decision, which can both be written down and
 * read again. Start reading at {@link io.strowger.core.routing.RoutingQuery}.
 */
@NullMarked
package io.strowger.core.routing;

import org.jspecify.annotations.NullMarked;
