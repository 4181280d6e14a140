/**
 * Reads the body of the messages endpoint: a table for the body, each role, each kind of block and
 * of tool. Start reading at {@link io.strowger.core.decode.messages.MessagesDecoder}.
 */
@NullMarked
package io.strowger.core.decode.messages;

import org.jspecify.annotations.NullMarked;
