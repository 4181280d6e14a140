/**
 * The reference host: the engine as a program. Start reading at {@link io.strowger.host.Main}; it
 * holds no business rule, so any other host can offer the same with the engine.
 */
@NullMarked
package io.strowger.host;

import org.jspecify.annotations.NullMarked;
