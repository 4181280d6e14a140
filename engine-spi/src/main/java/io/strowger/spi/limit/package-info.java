/**
 * How often somebody may ask: the gateway says who asks and what the quotas are, a limiter counts.
 * Start reading at {@link io.strowger.spi.limit.RateLimiter}.
 */
@NullMarked
package io.strowger.spi.limit;

import org.jspecify.annotations.NullMarked;
