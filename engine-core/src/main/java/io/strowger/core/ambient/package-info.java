/**
 * The real clock, random numbers and threads; nothing else in the engine touches them. Start
 * reading at {@link io.strowger.core.ambient.SystemAmbient}.
 */
@NullMarked
package io.strowger.core.ambient;

import org.jspecify.annotations.NullMarked;
