/** The contract of batches, on both databases. */
@NullMarked
package io.strowger.stores.batches;

import org.jspecify.annotations.NullMarked;
