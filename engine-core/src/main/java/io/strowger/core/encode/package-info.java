/**
 * From answers, events and errors to the documents callers read. Start reading at {@link
 * io.strowger.core.encode.ChatStream}.
 */
@NullMarked
package io.strowger.core.encode;

import org.jspecify.annotations.NullMarked;
