/**
 * Carries the requests of all adapters over pooled HTTP connections, and ends an exchange at once
 * when nobody waits for it any more. Start reading at {@link
 * io.strowger.providers.http.ApacheTransport}.
 */
@NullMarked
package io.strowger.providers.http;

import org.jspecify.annotations.NullMarked;
