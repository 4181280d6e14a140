/**
 * The plugin fusion: asks several models and lets one compare their answers. Start reading at
 * {@link io.strowger.plugins.fusion.FusionProvider}.
 */
@NullMarked
package io.strowger.plugins.fusion;

import org.jspecify.annotations.NullMarked;
