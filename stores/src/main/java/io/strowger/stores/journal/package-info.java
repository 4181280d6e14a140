/**
 * What a node writes down before anybody hears of it, in files of its own: it survives the end of
 * the process and knows nothing of a database. Start reading at {@link
 * io.strowger.stores.journal.Journal}.
 */
@NullMarked
package io.strowger.stores.journal;

import org.jspecify.annotations.NullMarked;
