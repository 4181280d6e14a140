/**
 * The registry of plugins: those that a host adds and those that are discovered, checked as a whole
 * before the gateway starts, and the reading of plugin entries by their schemas. Start reading at
 * {@link io.strowger.core.config.Plugins}.
 */
@NullMarked
package io.strowger.core.registry;

import org.jspecify.annotations.NullMarked;
