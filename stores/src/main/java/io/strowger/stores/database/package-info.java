/**
 * Opens a database, or says in one sentence why not, and bounds how long callers wait for it. Start
 * reading at {@link io.strowger.stores.database.Database}.
 */
@NullMarked
package io.strowger.stores.database;

import org.jspecify.annotations.NullMarked;
