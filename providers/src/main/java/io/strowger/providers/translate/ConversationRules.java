package io.strowger.providers.translate;

import org.jspecify.annotations.Nullable;

/**
 * What an upstream's dialect takes of a conversation.
 *
 * @param lateSystem system messages in the middle; otherwise they move to the beginning
 * @param names the name of who speaks; otherwise it is written before the text
 * @param reasoning the vendor format of the reasoning it takes back, such as {@code
 *     anthropic-claude-v1}; null when it takes none
 */
public record ConversationRules(boolean lateSystem, boolean names, @Nullable String reasoning) {}
