/**
 * Caches of stored resources, and how they are dropped when the originals change. Start reading at
 * {@link io.strowger.core.store.StoreWatch}.
 */
@NullMarked
package io.strowger.core.store;

import org.jspecify.annotations.NullMarked;
