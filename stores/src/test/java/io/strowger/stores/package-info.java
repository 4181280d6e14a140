/** Tests of the stores as a gateway opens them, and the databases for all tests. */
@NullMarked
package io.strowger.stores;

import org.jspecify.annotations.NullMarked;
