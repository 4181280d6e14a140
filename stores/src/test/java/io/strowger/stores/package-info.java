/** The stores as a gateway opens them, and the databases that tests bring. */
@NullMarked
package io.strowger.stores;

import org.jspecify.annotations.NullMarked;
