/**
 * Upstreams that speak the anthropic-messages dialect, and requests of it as documents. What came
 * in the dialect keeps its bytes, what came in another is written anew; start reading at {@link
 * io.strowger.providers.messages.AnthropicMessagesFactory}.
 */
@NullMarked
package io.strowger.providers.messages;

import org.jspecify.annotations.NullMarked;
