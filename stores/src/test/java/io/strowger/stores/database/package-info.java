/** Databases that are slow, gone, damaged or somebody else's. */
@NullMarked
package io.strowger.stores.database;

import org.jspecify.annotations.NullMarked;
