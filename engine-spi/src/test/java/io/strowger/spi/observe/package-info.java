/** Tests of what is known of finished calls. */
@NullMarked
package io.strowger.spi.observe;

import org.jspecify.annotations.NullMarked;
