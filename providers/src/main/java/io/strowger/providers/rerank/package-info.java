/** The adapter for reranking. Start at {@link io.strowger.providers.rerank.HttpRerank}. */
@NullMarked
package io.strowger.providers.rerank;

import org.jspecify.annotations.NullMarked;
