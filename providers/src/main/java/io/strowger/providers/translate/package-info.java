/**
 * The way of a request into another dialect, as far as it is the same for all of them: the
 * conversation as turns that alternate, names and ids an upstream takes, and a record of what was
 * lost. Start reading at {@link io.strowger.providers.translate.Conversation}; what one dialect
 * writes is in that dialect's package.
 */
@NullMarked
package io.strowger.providers.translate;

import org.jspecify.annotations.NullMarked;
