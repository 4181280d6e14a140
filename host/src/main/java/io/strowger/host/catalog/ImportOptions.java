package io.strowger.host.catalog;

import java.util.Set;

/**
 * Selects the providers of a list to import.
 *
 * @param onlySlugs slugs of the providers to import, also if they are paid by subscription; empty
 *     to select by the other options
 * @param includeSubscriptions whether to import providers that are paid by subscription, too; their
 *     prices are not the cost of a request
 * @param includeUnready whether to import providers without a known key or a usable address, too;
 *     has no effect unless {@code onlySlugs} is empty
 */
public record ImportOptions(
    Set<String> onlySlugs, boolean includeSubscriptions, boolean includeUnready) {
  /** Selects every provider that is paid by usage and has a known key and a usable address. */
  public static final ImportOptions DEFAULT = new ImportOptions(Set.of(), false, false);

  /** Selects every provider that is paid by usage. */
  public static final ImportOptions ALL = new ImportOptions(Set.of(), false, true);

  /** The reason for leaving out a provider that cannot be used without changes. */
  static final String NOT_READY = "of a provider without a known key or a usable address";

  public ImportOptions {
    onlySlugs = Set.copyOf(onlySlugs);
  }

  /**
   * Returns why a provider is left out, as a phrase for people; empty when it is imported.
   *
   * @param isSubscription whether the provider is paid by subscription
   * @param isReady whether the provider has a known key and a usable address
   */
  String exclusionReason(String slug, boolean isSubscription, boolean isReady) {
    if (!onlySlugs.isEmpty()) {
      return onlySlugs.contains(slug) ? "" : "of a provider that was not asked for";
    }
    if (isSubscription && !includeSubscriptions) {
      return "of a provider that is paid by subscription";
    }
    return isReady || includeUnready ? "" : NOT_READY;
  }
}
