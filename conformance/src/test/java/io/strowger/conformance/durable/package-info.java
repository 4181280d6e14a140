/** Tests of a whole gateway over a store that outlives it. */
@NullMarked
package io.strowger.conformance.durable;

import org.jspecify.annotations.NullMarked;
