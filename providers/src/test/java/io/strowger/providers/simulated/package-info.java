/**
 * Adapters that are connected to simulated upstreams, over real sockets if they use a transport.
 * The contract tests set how those upstreams behave.
 */
@NullMarked
package io.strowger.providers.simulated;

import org.jspecify.annotations.NullMarked;
