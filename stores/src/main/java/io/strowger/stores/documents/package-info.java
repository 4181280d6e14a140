/**
 * Keeps resources in two tables, for all kinds alike, and the audit log beside them. Start reading
 * at {@link io.strowger.stores.documents.JdbcDocuments}.
 */
@NullMarked
package io.strowger.stores.documents;

import org.jspecify.annotations.NullMarked;
