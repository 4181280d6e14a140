/** Upstreams that give embeddings in the OpenAI form. */
@NullMarked
package io.strowger.providers.embeddings;

import org.jspecify.annotations.NullMarked;
