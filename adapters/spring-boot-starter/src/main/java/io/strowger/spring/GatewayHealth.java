package io.strowger.spring;

import io.strowger.core.Gateway;
import io.strowger.core.Readiness;
import io.strowger.spi.observe.LoadSnapshot;
import io.strowger.spi.observe.LoadSnapshot.Breaker;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of a gateway as an application shows it, independent of the version of Boot.
 *
 * @param isReady whether it should be sent requests
 * @param details shown with it: words and numbers, nothing secret
 */
record GatewayHealth(boolean isReady, Map<String, Object> details) {
  /** Returns the current health. Does not block. */
  static GatewayHealth of(Gateway gateway, Readiness readiness) {
    var details = new LinkedHashMap<String, Object>();
    details.put("state", readiness.reason());
    if (readiness != Readiness.READY) {
      details.put("message", readiness.message());
    }
    if (readiness == Readiness.DRAINING) { // a gateway that is closed has nothing more to show
      return new GatewayHealth(false, details);
    }
    LoadSnapshot load = gateway.load();
    long openBreakers =
        load.endpoints().values().stream().filter(it -> it.breaker() == Breaker.OPEN).count();
    int endpoints = gateway.config().catalog().endpoints().size();
    details.put("models", gateway.config().catalog().models().size());
    details.put("endpoints", endpoints);
    details.put("usableEndpoints", endpoints - openBreakers);
    details.put("requestsInFlight", load.inFlight());
    return new GatewayHealth(readiness == Readiness.READY, details);
  }
}
