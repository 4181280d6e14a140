/**
 * Requests whose answer is one document and no conversation: embeddings, rerank, images and
 * transcriptions, read and written. Start reading at {@link
 * io.strowger.core.dialect.unary.EmbeddingsDecoder}.
 */
@NullMarked
package io.strowger.core.dialect.unary;

import org.jspecify.annotations.NullMarked;
