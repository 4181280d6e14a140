/**
 * Stores that survive the end of the process: a database in a file, or a server that several nodes
 * share, from one code base. Start reading at {@link io.strowger.stores.JdbcStores}.
 */
@NullMarked
package io.strowger.stores;

import org.jspecify.annotations.NullMarked;
