/**
 * Serves the engine over HTTP: turns a request of the web server into one of the engine, streams
 * the answer out, and notices a client that goes away. Start reading at {@link
 * io.strowger.host.server.HttpHost}.
 */
@NullMarked
package io.strowger.host.server;

import org.jspecify.annotations.NullMarked;
