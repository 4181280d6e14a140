/**
 * Writes answers in the chat format, whole and as chunks. Start reading at {@link
 * io.strowger.core.encode.chat.ChatWriter}.
 */
@NullMarked
package io.strowger.core.encode.chat;

import org.jspecify.annotations.NullMarked;
