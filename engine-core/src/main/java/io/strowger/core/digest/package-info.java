/** The one digest that the engine computes. Depends on no other package. */
@NullMarked
package io.strowger.core.digest;

import org.jspecify.annotations.NullMarked;
