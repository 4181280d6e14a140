/**
 * Copies of stored resources, and how they learn that somebody changed the originals. Start reading
 * at {@link io.strowger.core.store.StoreWatch}.
 */
@NullMarked
package io.strowger.core.store;

import org.jspecify.annotations.NullMarked;
