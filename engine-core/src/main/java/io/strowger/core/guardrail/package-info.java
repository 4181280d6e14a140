/**
 * Filters requests and answers: searches them for patterns and categories that an account or
 * operator does not allow, and flags, redacts or blocks them. Start reading at {@link
 * io.strowger.core.guardrail.ContentFilter}.
 */
@NullMarked
package io.strowger.core.guardrail;

import org.jspecify.annotations.NullMarked;
