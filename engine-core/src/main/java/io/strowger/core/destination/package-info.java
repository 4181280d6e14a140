/**
 * Observability destinations: how they are stored, which calls each of them receives, and how calls
 * are delivered. Start reading at {@link io.strowger.core.destination.Destinations}, which stores
 * them, and {@link io.strowger.core.destination.Broadcaster}, which delivers calls.
 */
@NullMarked
package io.strowger.core.destination;

import org.jspecify.annotations.NullMarked;
