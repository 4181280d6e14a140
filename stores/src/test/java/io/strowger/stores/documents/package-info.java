/** The contract of documents, on both databases. */
@NullMarked
package io.strowger.stores.documents;

import org.jspecify.annotations.NullMarked;
