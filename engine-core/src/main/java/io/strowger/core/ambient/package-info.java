/**
 * The real clock, random numbers and threads; no other code in the engine uses them. Start reading
 * at {@link io.strowger.core.ambient.SystemAmbient}.
 */
@NullMarked
package io.strowger.core.ambient;

import org.jspecify.annotations.NullMarked;
