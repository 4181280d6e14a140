/** The one digest that the engine computes. Knows no other package. */
@NullMarked
package io.strowger.core.digest;

import org.jspecify.annotations.NullMarked;
