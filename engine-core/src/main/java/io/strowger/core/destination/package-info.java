/**
 * Observability destinations: how they are stored, which calls each of them gets, and how calls are
 * delivered. Start reading at {@link io.strowger.core.destination.Destinations}, which keeps them,
 * and {@link io.strowger.core.destination.Broadcaster}, which delivers.
 */
@NullMarked
package io.strowger.core.destination;

import org.jspecify.annotations.NullMarked;
