/**
 * What an author of a store writes against. Start reading at {@link io.strowger.spi.store.Stores}.
 */
@NullMarked
package io.strowger.spi.store;

import org.jspecify.annotations.NullMarked;
