package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of provider names compiled to bits, so that an endpoint is tested without comparing text.
 *
 * <p>A name without a slash is a provider's slug or display name, a name with a slash is the tag of
 * an endpoint (routing fact sheet, section 1). Unknown names match nothing.
 */
final class ProviderSet implements EndpointRule.Test {
  private final long[] providers; // by Endpoint.providerOrdinal()
  private final @Nullable BitSet tags; // by Endpoint.tagOrdinal(); null when there is none
  private final int tiers; // tiers a provider's name covers; bits of ServiceTierMask

  private final boolean keepsMatchesOnly; // true: drops non-matches; false: drops matches

  private ProviderSet(List<String> names, PlanIndex index, int tiers, boolean keepsMatchesOnly) {
    long[] mask = new long[(index.catalog().providers().size() + 63) >>> 6];
    BitSet listedTags = null;
    for (int i = 0; i < names.size(); i++) {
      int code = index.names().codeOf(names.get(i));
      if (code < 0) {
        listedTags = listedTags == null ? new BitSet() : listedTags;
        listedTags.set(~code);
      } else if (code != ListedNames.UNKNOWN) {
        mask[code >>> 6] |= 1L << code;
      }
    }
    this.providers = mask;
    this.tags = listedTags;
    this.tiers = tiers;
    this.keepsMatchesOnly = keepsMatchesOnly;
  }

  /**
   * Returns a caller's list: a provider's name covers endpoints of service tiers only where the
   * request admits the tier.
   */
  static ProviderSet ofCaller(List<String> names, RuleContext context) {
    return new ProviderSet(names, context.index(), context.admittedTiers(), false);
  }

  /** Returns a set that drops endpoints which a caller does not list. */
  static ProviderSet excludingUnlisted(List<String> names, RuleContext context) {
    return new ProviderSet(names, context.index(), context.admittedTiers(), true);
  }

  /**
   * Returns an account's list: a provider's name covers all of its endpoints, so that naming a
   * service tier cannot bypass the account's rules.
   */
  static ProviderSet ofAccount(List<String> names, PlanIndex index) {
    return new ProviderSet(names, index, ServiceTierMask.ALL, false);
  }

  boolean matches(Endpoint endpoint) {
    int provider = endpoint.providerOrdinal();
    boolean isNamed = (providers[provider >>> 6] >>> provider & 1) != 0;
    return isNamed
            && (endpoint.serviceTier() == null || (tiers & ServiceTierMask.of(endpoint)) != 0)
        || hasTag(endpoint);
  }

  /** Returns whether this test drops the endpoint. */
  @Override
  public boolean drops(Endpoint endpoint) {
    return matches(endpoint) != keepsMatchesOnly;
  }

  /** Returns whether the test drops endpoints that are not in the set. */
  boolean dropsOthers() {
    return keepsMatchesOnly;
  }

  /** Returns whether the endpoint's own tag is listed. */
  boolean hasTag(Endpoint endpoint) {
    return tags != null && tags.get(endpoint.tagOrdinal());
  }
}
