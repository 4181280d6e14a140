/**
 * The messages dialect of callers: reads its requests and writes its answers. Start reading at
 * {@link io.strowger.core.dialect.messages.MessagesDecoder} and {@link
 * io.strowger.core.dialect.messages.MessagesFormat}.
 */
@NullMarked
package io.strowger.core.dialect.messages;

import org.jspecify.annotations.NullMarked;
