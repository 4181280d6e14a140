/**
 * Tests of the server over real sockets. {@code RawClient} sends exactly the bytes that a test
 * gives it.
 */
@NullMarked
package io.strowger.host.server;

import org.jspecify.annotations.NullMarked;
