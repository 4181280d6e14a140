/**
 * Writes answers in the messages format, whole and as events, whatever dialect they came in. Start
 * reading at {@link io.strowger.core.encode.messages.MessagesWriter}.
 */
@NullMarked
package io.strowger.core.encode.messages;

import org.jspecify.annotations.NullMarked;
