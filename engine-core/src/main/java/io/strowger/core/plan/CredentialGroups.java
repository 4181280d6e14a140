package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.CustomerKey;
import io.strowger.spi.routing.RoutingQuery;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes attempts of endpoints: with the customer's own keys first, then with the gateway's
 * credential, last with the customer's fallback keys. Routing fact sheet, section 8.
 *
 * <p>Within a group of keys the endpoints keep their order. Where the caller lists an order, that
 * decides before the order of the keys does.
 */
final class CredentialGroups {
  private static final Comparator<CustomerKey> IN_ORDER =
      Comparator.comparingInt(CustomerKey::sortOrder).thenComparing(CustomerKey::id);

  private static final CustomerKey[] NO_KEYS = {};
  private static final int[] NO_PROVIDERS = {};

  private final Scope scope;
  private final CustomerKey[] keys; // by sort order
  private final int[] providers; // by key, as Endpoint.providerOrdinal()
  private final boolean endpointsFirst;

  /**
   * Appends the attempts the endpoints of a shortlist come to.
   *
   * @param groups null when there is nothing but the gateway's credential, and all is well
   */
  static void append(Shortlist shortlist, @Nullable CredentialGroups groups, Attempts attempts) {
    if (groups != null) {
      groups.add(shortlist, attempts);
      return;
    }
    for (int i = 0; i < shortlist.size(); i++) {
      attempts.append(shortlist.slot(i).candidate(shortlist.model(i), null, false));
    }
  }

  /** Null when there is nothing but the gateway's credential, and all is well. */
  static @Nullable CredentialGroups of(Scope scope) {
    return scope.query().customerKeys().isEmpty() && scope.statistics().allWell()
        ? null
        : new CredentialGroups(scope);
  }

  private CredentialGroups(Scope scope) {
    RoutingQuery query = scope.query();
    this.scope = scope;
    this.endpointsFirst = !query.preferences().order().isEmpty();
    if (query.customerKeys().isEmpty()) {
      this.keys = NO_KEYS;
      this.providers = NO_PROVIDERS;
      return;
    }
    this.keys =
        query.customerKeys().stream()
            .filter(key -> scope.statistics().keyNotBefore(key.id()) <= scope.atMillis())
            .sorted(IN_ORDER)
            .toArray(CustomerKey[]::new);
    this.providers = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      providers[i] = scope.catalog().providerOrdinal(keys[i].provider());
    }
  }

  private void add(Shortlist shortlist, Attempts attempts) {
    addKeys(shortlist, false, attempts);
    addShared(shortlist, attempts);
    addKeys(shortlist, true, attempts);
  }

  private void addShared(Shortlist shortlist, Attempts attempts) {
    for (int i = 0; i < shortlist.size(); i++) {
      Slot slot = shortlist.slot(i);
      EndpointStatistics statistics = scope.statistics().of(slot.endpoint());
      if (statistics.notBefore() <= scope.atMillis() && !isReserved(slot.endpoint())) {
        attempts.append(slot.candidate(shortlist.model(i), null, statistics.broken()));
      }
    }
  }

  private void addKeys(Shortlist shortlist, boolean fallback, Attempts attempts) {
    int outer = endpointsFirst ? shortlist.size() : keys.length;
    int inner = endpointsFirst ? keys.length : shortlist.size();
    for (int i = 0; i < outer; i++) {
      for (int j = 0; j < inner; j++) {
        int place = endpointsFirst ? i : j;
        int key = endpointsFirst ? j : i;
        Slot slot = shortlist.slot(place);
        if (keys[key].fallback() == fallback && isFor(key, slot.endpoint())) {
          boolean probe = scope.statistics().of(slot.endpoint()).broken();
          attempts.append(slot.candidate(shortlist.model(place), keys[key].id(), probe));
        }
      }
    }
  }

  private boolean isFor(int key, Endpoint endpoint) {
    List<String> models = keys[key].models();
    return providers[key] == endpoint.providerOrdinal()
        && (models == null || models.contains(endpoint.model()));
  }

  /** A key says that the gateway's own credential is not to be used where the key may be. */
  private boolean isReserved(Endpoint endpoint) {
    for (int key = 0; key < keys.length; key++) {
      if (keys[key].alwaysUse() && isFor(key, endpoint)) {
        return true;
      }
    }
    return false;
  }
}
