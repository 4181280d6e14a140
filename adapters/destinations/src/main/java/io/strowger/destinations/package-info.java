/**
 * Exporters of finished calls, one class for each form a destination takes them in. Start reading
 * at {@link io.strowger.destinations.StandardDestinations}.
 */
@NullMarked
package io.strowger.destinations;

import org.jspecify.annotations.NullMarked;
