/**
 * Rate limits: the quotas of keys and free models, and the limiter that counts in this process.
 * Start reading at {@link io.strowger.core.limit.MemoryRateLimiter}.
 */
@NullMarked
package io.strowger.core.limit;

import org.jspecify.annotations.NullMarked;
