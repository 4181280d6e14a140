/**
 * The steps of translating a request that all dialects share: the conversation as alternating
 * turns, names and ids that upstreams accept, and a record of what is lost. Start reading at {@link
 * io.strowger.providers.translate.Conversation}; what a dialect writes is in that dialect's
 * package.
 */
@NullMarked
package io.strowger.providers.translate;

import org.jspecify.annotations.NullMarked;
