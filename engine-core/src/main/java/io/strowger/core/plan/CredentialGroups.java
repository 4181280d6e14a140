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
  private final RuleContext context;
  private final ByokKeyCandidates keys;
  private final long now; // in milliseconds since the epoch
  private final int most;
  private final boolean endpointsFirst;
  private final long room; // for attempts with the gateway's credential, at list price
  private final long ownRoom; // for attempts with BYOK keys

  /**
   * Appends the attempts the endpoints of a shortlist come to.
   *
   * @param groups null when there is nothing but the gateway's credential, and all is well
   */
  static void append(
      Shortlist shortlist, @Nullable CredentialGroups groups, AttemptList attemptList) {
    if (groups != null) {
      groups.add(shortlist, attemptList);
      return;
    }
    for (int i = 0; i < shortlist.size(); i++) {
      attemptList.append(shortlist.slot(i).candidate(shortlist.model(i), null, false));
    }
  }

  /**
   * Null when there is nothing but the gateway's credential, and all is well.
   *
   * @param most attempts of one shortlist; nobody looks at what would come behind them
   */
  static @Nullable CredentialGroups of(RuleContext context, int most) {
    return context.query().byokKeys().isEmpty() && context.statistics().isAllHealthy()
        ? null
        : new CredentialGroups(context, most);
  }

  private CredentialGroups(RuleContext context, int most) {
    this.context = context;
    this.keys = ByokKeyCandidates.of(context);
    this.now = context.atMillis();
    this.most = most;
    this.endpointsFirst = !context.query().preferences().order().isEmpty();
    this.room = HoldSize.budgetRemaining(context.query(), false);
    this.ownRoom = HoldSize.budgetRemaining(context.query(), true);
  }

  private void add(Shortlist shortlist, AttemptList attemptList) {
    addKeys(shortlist, false, attemptList);
    addShared(shortlist, attemptList);
    addKeys(shortlist, true, attemptList);
  }

  private void addShared(Shortlist shortlist, AttemptList attemptList) {
    for (int i = 0; i < shortlist.size() && attemptList.size() < most; i++) {
      IndexedEndpoint slot = shortlist.slot(i);
      EndpointStatistics statistics = context.statistics().of(slot.endpoint());
      boolean open = statistics.closedUntilMillis() <= now;
      if (open && !keys.reserve(slot.endpoint()) && isPaid(slot, room)) {
        attemptList.append(slot.candidate(shortlist.model(i), null, statistics.isBreakerOpen()));
      }
    }
  }

  private void addKeys(Shortlist shortlist, boolean fallback, AttemptList attemptList) {
    int outer = endpointsFirst ? shortlist.size() : keys.size();
    int inner = endpointsFirst ? keys.size() : shortlist.size();
    for (int i = 0; i < outer && attemptList.size() < most; i++) {
      for (int j = 0; j < inner && attemptList.size() < most; j++) {
        int place = endpointsFirst ? i : j;
        int key = endpointsFirst ? j : i;
        IndexedEndpoint slot = shortlist.slot(place);
        if (isUsable(key, fallback) && keys.isFor(key, slot.endpoint()) && isPaid(slot, ownRoom)) {
          boolean probe = context.statistics().of(slot.endpoint()).isBreakerOpen();
          attemptList.append(slot.candidate(shortlist.model(place), keys.key(key).id(), probe));
        }
      }
    }
  }

  /** What fits with one credential may not with the other. */
  private boolean isPaid(IndexedEndpoint slot, long of) {
    return HoldSize.fits(slot.endpoint(), context.query(), of);
  }

  private boolean isUsable(int key, boolean fallback) {
    return keys.key(key).fallback() == fallback && keys.isOpen(key, now);
  }
}
