/** Tests of the package of the same name. */
@NullMarked
package io.strowger.providers.embeddings;

import org.jspecify.annotations.NullMarked;
