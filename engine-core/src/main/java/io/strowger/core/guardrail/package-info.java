/**
 * Keeps out of a request what its account does not want sent: searches what callers say for
 * patterns, and takes them out or refuses the request. Start reading at {@link
 * io.strowger.core.guardrail.ContentFilter}.
 */
@NullMarked
package io.strowger.core.guardrail;

import org.jspecify.annotations.NullMarked;
