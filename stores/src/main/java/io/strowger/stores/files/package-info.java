/**
 * Creates files and directories that only their owner can open. Start reading at {@link
 * io.strowger.stores.files.OwnerOnlyFiles}.
 */
@NullMarked
package io.strowger.stores.files;

import org.jspecify.annotations.NullMarked;
