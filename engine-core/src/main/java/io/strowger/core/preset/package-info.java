/**
 * Presets at work: finding the one a request refers to, and merging it under the request before
 * that is decoded. Start reading at {@link io.strowger.core.preset.PresetMerge}.
 */
@NullMarked
package io.strowger.core.preset;

import org.jspecify.annotations.NullMarked;
