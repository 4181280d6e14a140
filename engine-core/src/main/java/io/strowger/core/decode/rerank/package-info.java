/**
 * The body of a request for rerank as tables of rules. Start reading at {@link
 * io.strowger.core.decode.rerank.RerankDecoder}.
 */
@NullMarked
package io.strowger.core.decode.rerank;

import org.jspecify.annotations.NullMarked;
