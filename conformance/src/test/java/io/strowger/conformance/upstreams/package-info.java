/**
 * Tests that hostile upstreams cannot harm a gateway, over real sockets. Start reading at {@link
 * io.strowger.conformance.upstreams.HostileUpstreamGateway}.
 */
@NullMarked
package io.strowger.conformance.upstreams;

import org.jspecify.annotations.NullMarked;
