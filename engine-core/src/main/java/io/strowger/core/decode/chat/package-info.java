/**
 * Reads the body of a chat request: a table for the body, one for each kind of message, part, tool
 * and format, each in the order of the contract. Start reading at {@link
 * io.strowger.core.decode.chat.ChatMembers}.
 */
@NullMarked
package io.strowger.core.decode.chat;

import org.jspecify.annotations.NullMarked;
