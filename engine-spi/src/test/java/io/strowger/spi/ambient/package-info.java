/** Tests of what comes in from outside. */
@NullMarked
package io.strowger.spi.ambient;

import org.jspecify.annotations.NullMarked;
