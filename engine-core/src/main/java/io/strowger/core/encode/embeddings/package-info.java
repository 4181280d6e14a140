/** The answer to a request for embeddings. */
@NullMarked
package io.strowger.core.encode.embeddings;

import org.jspecify.annotations.NullMarked;
