/**
 * The body of an embeddings request as tables of rules. Start reading at {@link
 * io.strowger.core.decode.embeddings.EmbeddingsDecoder}.
 */
@NullMarked
package io.strowger.core.decode.embeddings;

import org.jspecify.annotations.NullMarked;
