/**
 * Adapters that are connected to simulated upstreams, over real sockets where there are any, as the
 * contracts tell those to behave.
 */
@NullMarked
package io.strowger.providers.simulated;

import org.jspecify.annotations.NullMarked;
