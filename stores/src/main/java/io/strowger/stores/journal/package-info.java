/**
 * The journal that a node writes before anything else learns of an item. It survives the end of the
 * process and knows nothing of a database. Start reading at {@link
 * io.strowger.stores.journal.Journal}.
 */
@NullMarked
package io.strowger.stores.journal;

import org.jspecify.annotations.NullMarked;
