/**
 * Speaks the openai-chat dialect to an upstream: writes bodies from the typed request, reads whole
 * answers and the frames of streams. Start reading at {@link io.strowger.providers.chat.ChatCodec};
 * what it shares with other dialects is in {@link io.strowger.providers.upstream}.
 */
@NullMarked
package io.strowger.providers.chat;

import org.jspecify.annotations.NullMarked;
