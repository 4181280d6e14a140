/**
 * The reference host: the engine as a program. Start reading at {@link io.strowger.host.Main}; it
 * holds no business rule, so what it shows can be had from the engine by any other host too.
 */
@NullMarked
package io.strowger.host;

import org.jspecify.annotations.NullMarked;
