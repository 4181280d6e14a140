/**
 * How endpoints fare: recorded lock-free while requests run, published now and then as one
 * immutable {@link io.strowger.core.health.Statistics} that decisions read. Knows nothing of
 * requests.
 */
@NullMarked
package io.strowger.core.health;

import org.jspecify.annotations.NullMarked;
