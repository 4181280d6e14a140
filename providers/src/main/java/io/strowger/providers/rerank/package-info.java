/** Rerank over HTTP. Start reading at {@link io.strowger.providers.rerank.HttpRerank}. */
@NullMarked
package io.strowger.providers.rerank;

import org.jspecify.annotations.NullMarked;
