/**
 * Translates calls to and from the anthropic-messages dialect, and writes its requests. A request
 * in the dialect keeps its bytes, others are translated; start reading at {@link
 * io.strowger.providers.messages.AnthropicMessagesFactory}.
 */
@NullMarked
package io.strowger.providers.messages;

import org.jspecify.annotations.NullMarked;
