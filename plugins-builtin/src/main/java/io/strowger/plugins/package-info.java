/**
 * The plugins of the contract, one package each; they see the SPI and nothing of the engine. Start
 * reading at {@link io.strowger.plugins.BuiltinPlugins}.
 */
@NullMarked
package io.strowger.plugins;

import org.jspecify.annotations.NullMarked;
