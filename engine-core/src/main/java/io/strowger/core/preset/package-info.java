/**
 * Presets, kept and at work: their versions in a store, finding the one a request refers to, and
 * merging it under the request before that is decoded. Start reading at {@link
 * io.strowger.core.preset.PresetMerge}, then {@link io.strowger.core.preset.PresetDirectory}.
 */
@NullMarked
package io.strowger.core.preset;

import org.jspecify.annotations.NullMarked;
