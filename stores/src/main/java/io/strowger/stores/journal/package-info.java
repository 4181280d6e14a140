/**
 * The journal to which a node writes every item before it reaches the database. It survives the end
 * of the process and does not depend on the database. Start reading at {@link
 * io.strowger.stores.journal.Journal}.
 */
@NullMarked
package io.strowger.stores.journal;

import org.jspecify.annotations.NullMarked;
