/** Stores in a database, embedded in a file or shared by several gateways. */
@NullMarked
package io.strowger.stores.jdbc;

import org.jspecify.annotations.NullMarked;
