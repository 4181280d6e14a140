/**
 * What an author of a plugin writes against: three shapes of plugin, how a plugin describes itself,
 * and its configuration. Start reading at {@link io.strowger.spi.plugin.PluginProvider}.
 */
@NullMarked
package io.strowger.spi.plugin;

import org.jspecify.annotations.NullMarked;
