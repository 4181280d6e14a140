/**
 * Stores in memory, lost when the process ends. Start reading at {@link
 * io.strowger.core.memory.MemoryStores}.
 */
@NullMarked
package io.strowger.core.memory;

import org.jspecify.annotations.NullMarked;
