package io.strowger.core.plan;

import io.strowger.core.health.EndpointStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Turns endpoints into attempts: first with BYOK keys, then with the gateway's credential, last
 * with fallback BYOK keys. Routing fact sheet, section 8.
 *
 * <p>With BYOK keys, attempts are sorted by key and then by the order of the endpoints; where the
 * caller lists an order, by endpoint and then by key.
 */
final class CredentialGroups {
  private final RuleContext context;
  private final ByokKeyCandidates keys;
  private final long now; // in milliseconds since the epoch
  private final int most;
  private final boolean endpointsFirst;
  private final long room; // picodollars for an attempt with the gateway's credential
  private final long ownRoom; // picodollars for an attempt with a BYOK key

  /**
   * Appends the attempts made from the endpoints of a shortlist.
   *
   * @param groups null when only the gateway's credential exists and all endpoints are healthy
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
   * Returns the groups of a decision; null when only the gateway's credential exists and all
   * endpoints are healthy.
   *
   * @param most the maximum number of attempts of one shortlist; later attempts would never be used
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
      if (open && !keys.excludesGatewayCredential(slot.endpoint()) && fitsBudget(slot, room)) {
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
        if (isUsable(key, fallback)
            && keys.isFor(key, slot.endpoint())
            && fitsBudget(slot, ownRoom)) {
          boolean probe = context.statistics().of(slot.endpoint()).isBreakerOpen();
          attemptList.append(slot.candidate(shortlist.model(place), keys.key(key).id(), probe));
        }
      }
    }
  }

  /** Returns whether an attempt fits the budget of its credential, in picodollars. */
  private boolean fitsBudget(IndexedEndpoint slot, long of) {
    return HoldSize.fits(slot.endpoint(), context.query(), of);
  }

  private boolean isUsable(int key, boolean fallback) {
    return keys.key(key).fallback() == fallback && keys.isOpen(key, now);
  }
}
