/**
 * Tracks the health of endpoints. Requests record it without locks, and it is regularly published
 * as one immutable {@link io.strowger.core.health.Statistics}, which decisions read. Does not
 * depend on the types of requests.
 */
@NullMarked
package io.strowger.core.health;

import org.jspecify.annotations.NullMarked;
