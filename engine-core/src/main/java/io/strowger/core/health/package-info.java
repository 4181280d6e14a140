/**
 * Tracks endpoint health: recorded lock-free while requests run, published regularly as one
 * immutable {@link io.strowger.core.health.Statistics} that decisions read. Knows nothing of
 * requests.
 */
@NullMarked
package io.strowger.core.health;

import org.jspecify.annotations.NullMarked;
