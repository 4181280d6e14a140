/**
 * Where requests come from: addresses, the proxies whose word about them counts, and the throttle
 * for clients whose credentials are wrong. Knows nothing of keys.
 */
@NullMarked
package io.strowger.core.client;

import org.jspecify.annotations.NullMarked;
