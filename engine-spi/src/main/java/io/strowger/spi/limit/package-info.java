/**
 * The SPI for rate limiting: the gateway names the subject and its quotas, and the limiter counts.
 * Start reading at {@link io.strowger.spi.limit.RateLimiter}.
 */
@NullMarked
package io.strowger.spi.limit;

import org.jspecify.annotations.NullMarked;
