/** The whole program, seen by a client library that knows nothing of it. */
@NullMarked
package io.strowger.host.client;

import org.jspecify.annotations.NullMarked;
