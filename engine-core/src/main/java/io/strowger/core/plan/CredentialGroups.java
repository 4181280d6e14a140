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
  private final int maxAttempts;
  private final boolean endpointsFirst;
  private final long creditsPicos; // picodollars for an attempt with the gateway's credential
  private final long byokPicos; // picodollars for an attempt with a BYOK key

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
      IndexedEndpoint indexed = shortlist.indexedEndpoint(i);
      attemptList.append(indexed.attempt(shortlist.modelIndex(i), null, false));
    }
  }

  /**
   * Returns the groups of a decision; null when only the gateway's credential exists and all
   * endpoints are healthy.
   *
   * @param maxAttempts the maximum number of attempts of one shortlist; later attempts would never
   *     be used
   */
  static @Nullable CredentialGroups of(RuleContext context, int maxAttempts) {
    return context.query().byokKeys().isEmpty() && context.statistics().isAllHealthy()
        ? null
        : new CredentialGroups(context, maxAttempts);
  }

  private CredentialGroups(RuleContext context, int maxAttempts) {
    this.context = context;
    this.keys = ByokKeyCandidates.of(context);
    this.now = context.epochMillis();
    this.maxAttempts = maxAttempts;
    this.endpointsFirst = !context.query().preferences().order().isEmpty();
    this.creditsPicos = HoldSize.budgetRemaining(context.query(), false);
    this.byokPicos = HoldSize.budgetRemaining(context.query(), true);
  }

  private void add(Shortlist shortlist, AttemptList attemptList) {
    addByokAttempts(shortlist, false, attemptList);
    addGatewayAttempts(shortlist, attemptList);
    addByokAttempts(shortlist, true, attemptList);
  }

  private void addGatewayAttempts(Shortlist shortlist, AttemptList attemptList) {
    for (int i = 0; i < shortlist.size() && attemptList.size() < maxAttempts; i++) {
      IndexedEndpoint indexed = shortlist.indexedEndpoint(i);
      EndpointStatistics statistics = context.statistics().of(indexed.endpoint());
      boolean isUsable = statistics.blockedUntilMillis() <= now;
      if (isUsable
          && !keys.excludesGatewayCredential(indexed.endpoint())
          && fitsBudget(indexed, creditsPicos)) {
        attemptList.append(
            indexed.attempt(shortlist.modelIndex(i), null, statistics.isBreakerOpen()));
      }
    }
  }

  private void addByokAttempts(Shortlist shortlist, boolean fallback, AttemptList attemptList) {
    int outer = endpointsFirst ? shortlist.size() : keys.size();
    int inner = endpointsFirst ? keys.size() : shortlist.size();
    for (int i = 0; i < outer && attemptList.size() < maxAttempts; i++) {
      for (int j = 0; j < inner && attemptList.size() < maxAttempts; j++) {
        int index = endpointsFirst ? i : j;
        int keyIndex = endpointsFirst ? j : i;
        IndexedEndpoint indexed = shortlist.indexedEndpoint(index);
        if (isUsable(keyIndex, fallback)
            && keys.isFor(keyIndex, indexed.endpoint())
            && fitsBudget(indexed, byokPicos)) {
          boolean probe = context.statistics().of(indexed.endpoint()).isBreakerOpen();
          attemptList.append(
              indexed.attempt(shortlist.modelIndex(index), keys.key(keyIndex).id(), probe));
        }
      }
    }
  }

  /** Returns whether an attempt fits the budget of its credential, in picodollars. */
  private boolean fitsBudget(IndexedEndpoint indexed, long availablePicos) {
    return HoldSize.fits(indexed.endpoint(), context.query(), availablePicos);
  }

  private boolean isUsable(int keyIndex, boolean fallback) {
    return keys.key(keyIndex).fallback() == fallback && keys.isUsable(keyIndex, now);
  }
}
