/**
 * Translates calls to and from the openai-chat dialect: writes bodies from the typed request, and
 * reads complete answers and stream frames. Start at {@link io.strowger.providers.chat.ChatCodec};
 * the code shared with other dialects is in {@link io.strowger.providers.upstream}.
 */
@NullMarked
package io.strowger.providers.chat;

import org.jspecify.annotations.NullMarked;
