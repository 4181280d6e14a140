/**
 * Translates calls to and from the anthropic-messages dialect, and writes its requests. A request
 * in the dialect keeps its bytes; any other is translated. Start reading at {@link
 * io.strowger.providers.messages.AnthropicMessagesFactory}.
 */
@NullMarked
package io.strowger.providers.messages;

import org.jspecify.annotations.NullMarked;
