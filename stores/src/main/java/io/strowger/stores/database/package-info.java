/**
 * Opens databases, with one sentence for the operator when that is not possible, and bounds how
 * long callers wait for an answer. Start reading at {@link io.strowger.stores.database.Database}.
 */
@NullMarked
package io.strowger.stores.database;

import org.jspecify.annotations.NullMarked;
