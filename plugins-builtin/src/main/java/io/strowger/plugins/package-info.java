/**
 * The plugins of the contract, one package each; they depend on the SPI only, not on the engine.
 * Start reading at {@link io.strowger.plugins.BuiltinPlugins}.
 */
@NullMarked
package io.strowger.plugins;

import org.jspecify.annotations.NullMarked;
