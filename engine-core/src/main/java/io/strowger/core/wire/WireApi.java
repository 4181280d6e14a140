package io.strowger.core.wire;

/**
 * Serves the whole HTTP API as one function: a host passes the request it received and sends the
 * response it gets. Contract: "Endpoints", "Authentication", "Errors".
 *
 * <p>A request is admitted by its headers before anything else happens, so that a stranger learns
 * nothing, not even which paths exist, and no body of a stranger is read. Safe on any thread; each
 * call runs on the caller's own, which should be a virtual one, and may wait for an upstream.
 */
@FunctionalInterface
public interface WireApi {
  /** Answers a request. Never throws; close the response's body. */
  WireResponse handle(WireRequest request);
}
