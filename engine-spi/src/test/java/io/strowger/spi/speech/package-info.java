/** Tests of {@link io.strowger.spi.speech}. */
@NullMarked
package io.strowger.spi.speech;

import org.jspecify.annotations.NullMarked;
