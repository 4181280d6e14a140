/**
 * The only door to time, chance, ids and threads. Start reading at {@link
 * io.strowger.spi.ambient.Ambient}.
 */
@NullMarked
package io.strowger.spi.ambient;

import org.jspecify.annotations.NullMarked;
