/**
 * The typed in-process client: sends requests without HTTP or hand-written JSON. Start reading at
 * {@link io.strowger.core.client.ChatClient}.
 */
@NullMarked
package io.strowger.core.client;

import org.jspecify.annotations.NullMarked;
