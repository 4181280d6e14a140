/**
 * Exporters of finished calls, one class for each form in which destinations receive calls. Start
 * reading at {@link io.strowger.destinations.StandardDestinations}.
 */
@NullMarked
package io.strowger.destinations;

import org.jspecify.annotations.NullMarked;
