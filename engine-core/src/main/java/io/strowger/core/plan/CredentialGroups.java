package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Makes attempts of endpoints: with the customer's own keys first, then with the gateway's
 * credential, last with the customer's fallback keys. Routing fact sheet, section 8.
 *
 * <p>Within a group of keys the endpoints keep their order. Where the caller lists an order, that
 * decides before the order of the keys does.
 */
final class CredentialGroups {
  private final Scope scope;
  private final OwnKeys keys;
  private final long now; // in milliseconds since the epoch
  private final int most;
  private final boolean endpointsFirst;
  private final long room; // for attempts with the gateway's credential, at list price
  private final long ownRoom; // for attempts with own keys

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

  /**
   * Null when there is nothing but the gateway's credential, and all is well.
   *
   * @param most attempts of one shortlist; nobody looks at what would come behind them
   */
  static @Nullable CredentialGroups of(Scope scope, int most) {
    return scope.query().customerKeys().isEmpty() && scope.statistics().allWell()
        ? null
        : new CredentialGroups(scope, most);
  }

  private CredentialGroups(Scope scope, int most) {
    this.scope = scope;
    this.keys = OwnKeys.of(scope);
    this.now = scope.atMillis();
    this.most = most;
    this.endpointsFirst = !scope.query().preferences().order().isEmpty();
    this.room = HoldSize.room(scope.query(), false);
    this.ownRoom = HoldSize.room(scope.query(), true);
  }

  private void add(Shortlist shortlist, Attempts attempts) {
    addKeys(shortlist, false, attempts);
    addShared(shortlist, attempts);
    addKeys(shortlist, true, attempts);
  }

  private void addShared(Shortlist shortlist, Attempts attempts) {
    for (int i = 0; i < shortlist.size() && attempts.size() < most; i++) {
      Slot slot = shortlist.slot(i);
      EndpointStatistics statistics = scope.statistics().of(slot.endpoint());
      boolean open = statistics.notBefore() <= now;
      if (open && !keys.reserve(slot.endpoint()) && isPaid(slot, room)) {
        attempts.append(slot.candidate(shortlist.model(i), null, statistics.broken()));
      }
    }
  }

  private void addKeys(Shortlist shortlist, boolean fallback, Attempts attempts) {
    int outer = endpointsFirst ? shortlist.size() : keys.size();
    int inner = endpointsFirst ? keys.size() : shortlist.size();
    for (int i = 0; i < outer && attempts.size() < most; i++) {
      for (int j = 0; j < inner && attempts.size() < most; j++) {
        int place = endpointsFirst ? i : j;
        int key = endpointsFirst ? j : i;
        Slot slot = shortlist.slot(place);
        if (isUsable(key, fallback) && keys.isFor(key, slot.endpoint()) && isPaid(slot, ownRoom)) {
          boolean probe = scope.statistics().of(slot.endpoint()).broken();
          attempts.append(slot.candidate(shortlist.model(place), keys.key(key).id(), probe));
        }
      }
    }
  }

  /** What fits with one credential may not with the other. */
  private boolean isPaid(Slot slot, long of) {
    return HoldSize.fits(slot.endpoint(), scope.query(), of);
  }

  private boolean isUsable(int key, boolean fallback) {
    return keys.key(key).fallback() == fallback && keys.isOpen(key, now);
  }
}
