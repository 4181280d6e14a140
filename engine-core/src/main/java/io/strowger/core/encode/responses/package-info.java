/**
 * Answers in the words of the responses dialect, whole and as streams, from answers and events of
 * any dialect. Start reading at {@link io.strowger.core.encode.responses.ResponsesFormat}.
 */
@NullMarked
package io.strowger.core.encode.responses;

import org.jspecify.annotations.NullMarked;
