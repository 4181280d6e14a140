/**
 * Requests made in this process, typed: {@link io.strowger.core.client.ChatClient}. Beside them,
 * where requests over HTTP come from: addresses, the proxies whose word about them counts, the
 * throttle for clients whose credentials are wrong, and what stands for a key. Knows nothing of
 * accounts.
 */
@NullMarked
package io.strowger.core.client;

import org.jspecify.annotations.NullMarked;
