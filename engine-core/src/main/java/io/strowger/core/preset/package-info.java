/**
 * Stores presets and their versions, finds the preset that a request refers to, and merges it into
 * the request before that is decoded. Start reading at {@link io.strowger.core.preset.PresetMerge},
 * then {@link io.strowger.core.preset.PresetDirectory}.
 */
@NullMarked
package io.strowger.core.preset;

import org.jspecify.annotations.NullMarked;
