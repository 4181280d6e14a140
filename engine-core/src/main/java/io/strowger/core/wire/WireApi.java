package io.strowger.core.wire;

/**
 * Serves the whole HTTP API as one function: a host passes each request and sends the response.
 * Contract: "Endpoints", "Authentication", "Errors".
 *
 * <p>A request is authenticated by its headers before anything else. So a client without a valid
 * key does not learn which paths exist, and its body is not read. Safe on any thread; a call runs
 * on the calling thread, which should be a virtual one, and may wait for an upstream.
 */
@FunctionalInterface
public interface WireApi {
  /** Handles a request and returns the response, whose body the host must close. Never throws. */
  WireResponse handle(WireRequest request);
}
