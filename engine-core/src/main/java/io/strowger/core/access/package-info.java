/**
 * Where requests come from: addresses, the proxies whose word about them counts, the throttle for
 * clients whose credentials are wrong, and what stands for a key. Knows nothing of accounts.
 */
@NullMarked
package io.strowger.core.access;

import org.jspecify.annotations.NullMarked;
