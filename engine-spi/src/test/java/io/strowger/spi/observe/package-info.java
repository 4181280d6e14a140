/** Tests of the records of finished calls and of trace contexts. */
@NullMarked
package io.strowger.spi.observe;

import org.jspecify.annotations.NullMarked;
