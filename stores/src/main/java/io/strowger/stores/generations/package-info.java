/**
 * Stores the records of finished requests without delaying the requests. Start reading at {@link
 * io.strowger.stores.generations.JdbcGenerations}.
 */
@NullMarked
package io.strowger.stores.generations;

import org.jspecify.annotations.NullMarked;
