/**
 * The cache of answers: which requests count as equal, and how a stored answer is replayed without
 * being charged. Start reading at {@link io.strowger.core.cache.ResponseCache}.
 */
@NullMarked
package io.strowger.core.cache;

import org.jspecify.annotations.NullMarked;
