package io.strowger.host.catalog;

import java.util.Set;

/**
 * What of a list is imported.
 *
 * @param only slugs of the providers to import, whatever they are paid by; empty for those that can
 *     be used as they are imported
 * @param plans also providers that are paid by subscription, whose prices say nothing of what a
 *     request costs
 * @param all also providers without a known key or a usable address; means nothing beside {@code
 *     only}
 */
public record ImportOptions(Set<String> only, boolean plans, boolean all) {
  /** Every provider that is paid by what a request uses and has a known key and address. */
  public static final ImportOptions DEFAULT = new ImportOptions(Set.of(), false, false);

  /** Every provider that is paid by what a request uses. */
  public static final ImportOptions ALL = new ImportOptions(Set.of(), false, true);

  /** Why a provider that cannot be used as it is imported is left out. */
  static final String NOT_READY = "of a provider without a known key and a usable address";

  public ImportOptions {
    only = Set.copyOf(only);
  }

  /**
   * Why a provider is left out, for people; empty when it is imported.
   *
   * @param isReady it has a known key and a usable address
   */
  String reasonAgainst(String slug, boolean isPlan, boolean isReady) {
    if (!only.isEmpty()) {
      return only.contains(slug) ? "" : "of a provider that was not asked for";
    }
    if (isPlan && !plans) {
      return "of a provider that is paid by subscription";
    }
    return isReady || all ? "" : NOT_READY;
  }
}
