/**
 * From answers, events and errors to the documents callers read: what all dialects share, each of
 * which has a package of its own below. Start reading at {@link
 * io.strowger.core.encode.AnswerFormat}.
 */
@NullMarked
package io.strowger.core.encode;

import org.jspecify.annotations.NullMarked;
