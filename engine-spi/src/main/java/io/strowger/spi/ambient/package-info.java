/**
 * Time, random numbers and threads for everything in the engine. Start reading at {@link
 * io.strowger.spi.ambient.Ambient}.
 */
@NullMarked
package io.strowger.spi.ambient;

import org.jspecify.annotations.NullMarked;
