/** Tests with databases that are slow, unreachable, damaged or of another program. */
@NullMarked
package io.strowger.stores.database;

import org.jspecify.annotations.NullMarked;
