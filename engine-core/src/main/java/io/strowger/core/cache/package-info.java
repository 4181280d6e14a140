/**
 * Answers that are given a second time: which request is the same as another one, and what an
 * answer is when nobody has to be paid for it. Start reading at {@link
 * io.strowger.core.cache.ResponseCache}.
 */
@NullMarked
package io.strowger.core.cache;

import org.jspecify.annotations.NullMarked;
