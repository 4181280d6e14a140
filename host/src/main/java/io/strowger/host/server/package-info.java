/**
 * Serves the engine over HTTP: passes each HTTP request to the engine, streams the answer, and
 * notices a client that goes away. Start reading at {@link io.strowger.host.server.HttpHost}.
 */
@NullMarked
package io.strowger.host.server;

import org.jspecify.annotations.NullMarked;
