package io.strowger.core.plan;

import io.strowger.core.routing.ByokKeyRef;
import io.strowger.spi.catalog.Endpoint;
import java.util.Comparator;
import java.util.List;

/**
 * The BYOK keys of one decision, in the order they are tried: which endpoints each key may be used
 * with, and from what time on. Routing fact sheet, section 8.
 */
final class ByokKeyCandidates {
  private static final Comparator<ByokKeyRef> IN_ORDER =
      Comparator.comparingInt(ByokKeyRef::sortOrder).thenComparing(ByokKeyRef::id);

  private static final ByokKeyCandidates NONE =
      new ByokKeyCandidates(new ByokKeyRef[0], new int[0], new long[0]);

  private final ByokKeyRef[] keys;
  private final int[] providers; // by key, as Endpoint.providerOrdinal()
  private final long[] usableFromMillis; // by key, in milliseconds since the epoch

  private ByokKeyCandidates(ByokKeyRef[] keys, int[] providers, long[] usableFromMillis) {
    this.keys = keys;
    this.providers = providers;
    this.usableFromMillis = usableFromMillis;
  }

  static ByokKeyCandidates of(RuleContext context) {
    List<ByokKeyRef> queryKeys = context.query().byokKeys();
    if (queryKeys.isEmpty()) {
      return NONE;
    }
    ByokKeyRef[] keys = queryKeys.stream().sorted(IN_ORDER).toArray(ByokKeyRef[]::new);
    int[] providers = new int[keys.length];
    long[] usableFromMillis = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      providers[i] = context.catalog().providerOrdinal(keys[i].provider());
      usableFromMillis[i] = context.statistics().keyBlockedUntilMillis(keys[i].id());
    }
    return new ByokKeyCandidates(keys, providers, usableFromMillis);
  }

  int size() {
    return keys.length;
  }

  ByokKeyRef key(int index) {
    return keys[index];
  }

  /** Returns whether the key may be used for the endpoint, now or once its cooldown has ended. */
  boolean isFor(int index, Endpoint endpoint) {
    List<String> models = keys[index].models();
    return providers[index] == endpoint.providerOrdinal()
        && (models == null || models.contains(endpoint.model()));
  }

  /** Returns whether any key may be used for the endpoint, now or once its cooldown has ended. */
  boolean hasKeyFor(Endpoint endpoint) {
    for (int index = 0; index < keys.length; index++) {
      if (isFor(index, endpoint)) {
        return true;
      }
    }
    return false;
  }

  boolean isUsable(int index, long atMillis) {
    return usableFromMillis[index] <= atMillis;
  }

  /**
   * Returns the earliest time at which one of the keys may be used for the endpoint, in
   * milliseconds since the epoch. It may have passed; it is {@link Long#MAX_VALUE} when no key is
   * for the endpoint.
   */
  long usableFromMillis(Endpoint endpoint) {
    long earliest = Long.MAX_VALUE;
    for (int index = 0; index < keys.length; index++) {
      if (usableFromMillis[index] < earliest && isFor(index, endpoint)) {
        earliest = usableFromMillis[index];
      }
    }
    return earliest;
  }

  /**
   * Returns whether a key forbids the gateway's own credential for the endpoint. A key that is
   * cooling down forbids it too, since the customer did not agree to be charged instead.
   */
  boolean excludesGatewayCredential(Endpoint endpoint) {
    for (int index = 0; index < keys.length; index++) {
      if (keys[index].alwaysUse() && isFor(index, endpoint)) {
        return true;
      }
    }
    return false;
  }
}
