/**
 * Sends the requests of all adapters over pooled HTTP connections, and aborts an exchange at once
 * when it is cancelled. Start reading at {@link io.strowger.providers.http.ApacheTransport}.
 */
@NullMarked
package io.strowger.providers.http;

import org.jspecify.annotations.NullMarked;
