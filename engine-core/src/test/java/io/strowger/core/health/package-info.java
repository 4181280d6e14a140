/** Tests of how endpoints fare. */
@NullMarked
package io.strowger.core.health;

import org.jspecify.annotations.NullMarked;
