/**
 * The plugin context-compression: shortens a conversation to the context of the chosen endpoint.
 * Start reading at {@link io.strowger.plugins.contextcompression.ContextCompressionProvider}.
 */
@NullMarked
package io.strowger.plugins.contextcompression;

import org.jspecify.annotations.NullMarked;
