/**
 * Files and directories that only their owner can read, from the moment they are made. Start
 * reading at {@link io.strowger.stores.files.OwnerOnlyFiles}.
 */
@NullMarked
package io.strowger.stores.files;

import org.jspecify.annotations.NullMarked;
