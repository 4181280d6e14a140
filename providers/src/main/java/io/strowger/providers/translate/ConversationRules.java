package io.strowger.providers.translate;

import org.jspecify.annotations.Nullable;

/**
 * What an upstream's dialect accepts in a conversation.
 *
 * @param allowsLateSystem whether system messages may follow other messages; otherwise they are
 *     moved to the beginning
 * @param allowsNames whether a message may have the name of its speaker; otherwise the name is
 *     written before the text
 * @param reasoningFormat the vendor format of the reasoning that is accepted back, such as {@code
 *     anthropic-claude-v1}; null when none is
 */
public record ConversationRules(
    boolean allowsLateSystem, boolean allowsNames, @Nullable String reasoningFormat) {}
