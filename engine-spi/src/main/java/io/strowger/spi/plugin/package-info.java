/**
 * What authors of plugins write against.
 *
 * <ul>
 *   <li>Every plugin: {@link io.strowger.spi.plugin.PluginProvider}, {@link
 *       io.strowger.spi.plugin.Descriptor}, {@link io.strowger.spi.plugin.PluginConfig}, {@link
 *       io.strowger.spi.plugin.Field} and the usual {@link io.strowger.spi.plugin.Fields}.
 *   <li>A router: {@link io.strowger.spi.plugin.RouterPlugin}, {@link
 *       io.strowger.spi.plugin.Candidates}, {@link io.strowger.spi.plugin.Selection}.
 *   <li>An interceptor: {@link io.strowger.spi.plugin.Interceptor}.
 *   <li>A tool: {@link io.strowger.spi.plugin.ServerTool}.
 * </ul>
 */
@NullMarked
package io.strowger.spi.plugin;

import org.jspecify.annotations.NullMarked;
