package io.strowger.providers.translate;

import org.jspecify.annotations.Nullable;

/**
 * What an upstream's dialect accepts in a conversation.
 *
 * @param lateSystem whether system messages may come later; otherwise they move to the beginning
 * @param names whether messages have a speaker's name; otherwise it is written before the text
 * @param reasoning the vendor format of the reasoning that is accepted back, such as {@code
 *     anthropic-claude-v1}; null when none is
 */
public record ConversationRules(boolean lateSystem, boolean names, @Nullable String reasoning) {}
