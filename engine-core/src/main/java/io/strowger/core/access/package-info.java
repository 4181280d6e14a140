/**
 * Where requests come from: addresses, the proxies whose word about them counts, and the throttle
 * for clients whose credentials are wrong. Knows nothing of accounts.
 */
@NullMarked
package io.strowger.core.access;

import org.jspecify.annotations.NullMarked;
