/**
 * Tests of the server over real sockets. {@code RawClient} says exactly which bytes go out and
 * when.
 */
@NullMarked
package io.strowger.host.server;

import org.jspecify.annotations.NullMarked;
