/** The adapter for upstreams with the OpenAI embeddings API. */
@NullMarked
package io.strowger.providers.embeddings;

import org.jspecify.annotations.NullMarked;
