/** A whole gateway over a store that survives it. */
@NullMarked
package io.strowger.conformance.durable;

import org.jspecify.annotations.NullMarked;
