/**
 * Speaks the openai-chat dialect to an upstream: writes bodies from the typed request, reads whole
 * answers and streams, classifies refusals. Start reading at {@link
 * io.strowger.providers.chat.OpenAiChatProvider}.
 */
@NullMarked
package io.strowger.providers.chat;

import org.jspecify.annotations.NullMarked;
