/**
 * Which plugins there are: what a host names or lets be found, checked as a whole before the
 * gateway stands, and the reading of plugin entries by their schemas. Start reading at {@link
 * io.strowger.core.config.Plugins}.
 */
@NullMarked
package io.strowger.core.registry;

import org.jspecify.annotations.NullMarked;
