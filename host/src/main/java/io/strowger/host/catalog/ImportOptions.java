package io.strowger.host.catalog;

import java.util.Set;

/**
 * What of a list is imported.
 *
 * @param only slugs of the providers to import, whatever they are paid by; empty for all
 * @param plans also providers that are paid by subscription, whose prices say nothing of what a
 *     request costs
 */
public record ImportOptions(Set<String> only, boolean plans) {
  /** Every provider that is paid by what a request uses. */
  public static final ImportOptions DEFAULT = new ImportOptions(Set.of(), false);

  public ImportOptions {
    only = Set.copyOf(only);
  }

  /** Why a provider is left out, for people; empty when it is imported. */
  String reasonAgainst(String slug, boolean isPlan) {
    if (!only.isEmpty()) {
      return only.contains(slug) ? "" : "of a provider that was not asked for";
    }
    return isPlan && !plans ? "of a provider that is paid by subscription" : "";
  }
}
