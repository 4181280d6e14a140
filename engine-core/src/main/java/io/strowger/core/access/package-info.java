/**
 * Where requests come from: addresses, the proxies trusted to state them, and the throttle for
 * clients whose credentials are wrong. Knows nothing of accounts.
 */
@NullMarked
package io.strowger.core.access;

import org.jspecify.annotations.NullMarked;
