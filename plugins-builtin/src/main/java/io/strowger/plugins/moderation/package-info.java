/**
 * The plugin moderation: checks content before and after the call. Start reading at {@link
 * io.strowger.plugins.moderation.ModerationProvider}.
 */
@NullMarked
package io.strowger.plugins.moderation;

import org.jspecify.annotations.NullMarked;
