/**
 * The chat dialect of callers: reads its requests and writes its answers. Start reading at {@link
 * io.strowger.core.dialect.chat.ChatDecoder} and {@link io.strowger.core.dialect.chat.ChatFormat}.
 */
@NullMarked
package io.strowger.core.dialect.chat;

import org.jspecify.annotations.NullMarked;
