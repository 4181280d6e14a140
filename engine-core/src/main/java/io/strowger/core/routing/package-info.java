/**
 * A routing decision: its whole input and its whole output, both of which can be written down and
 * read again. Start reading at {@link io.strowger.core.routing.RoutingQuery}.
 */
@NullMarked
package io.strowger.core.routing;

import org.jspecify.annotations.NullMarked;
