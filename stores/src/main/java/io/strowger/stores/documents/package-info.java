/**
 * Stores the documents of all kinds in the same tables, and the audit log. Start reading at {@link
 * io.strowger.stores.documents.JdbcDocuments}.
 */
@NullMarked
package io.strowger.stores.documents;

import org.jspecify.annotations.NullMarked;
