/**
 * Writes requests of the messages dialect as messages documents. There is no adapter here yet that
 * sends one to an upstream: it builds on {@link io.strowger.providers.messages.MessagesWriter}.
 */
@NullMarked
package io.strowger.providers.messages;

import org.jspecify.annotations.NullMarked;
