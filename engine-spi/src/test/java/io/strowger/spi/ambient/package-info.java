/** Tests of the fair sharing of threads. */
@NullMarked
package io.strowger.spi.ambient;

import org.jspecify.annotations.NullMarked;
