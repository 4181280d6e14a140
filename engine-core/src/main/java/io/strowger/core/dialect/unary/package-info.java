/**
 * Reads the requests, and writes the answers, of the paths that answer with one document:
 * embeddings, rerank, images and transcriptions. Start reading at {@link
 * io.strowger.core.dialect.unary.EmbeddingsDecoder}.
 */
@NullMarked
package io.strowger.core.dialect.unary;

import org.jspecify.annotations.NullMarked;
