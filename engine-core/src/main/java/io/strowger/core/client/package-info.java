/**
 * Requests made in this process, typed: no HTTP, and no JSON to write or read. Start reading at
 * {@link io.strowger.core.client.ChatClient}.
 */
@NullMarked
package io.strowger.core.client;

import org.jspecify.annotations.NullMarked;
