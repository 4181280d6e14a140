/**
 * Stores batches with their requests and results, and leases requests to the nodes that share a
 * database. Start reading at {@link io.strowger.stores.batches.JdbcBatches}.
 */
@NullMarked
package io.strowger.stores.batches;

import org.jspecify.annotations.NullMarked;
