package io.strowger.spi.routing;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The provider preferences of a request. Immutable. Contract: "Provider preferences"; provider
 * routing fact sheet, section 1.
 *
 * <p>A name in a list is a provider's slug or display name, which matches all of its endpoints but
 * those of a service tier, or a tag with a slash, which matches only the endpoints of that tag.
 * Case does not matter. A name that matches nothing is not an error.
 */
public final class ProviderPreferences {
  public static final ProviderPreferences NONE = builder().build();

  private final List<String> order;
  private final @Nullable List<String> only;
  private final List<String> ignore;
  private final boolean allowFallbacks;
  private final boolean requireParameters;
  private final boolean denyDataCollection;
  private final boolean zdr;
  private final boolean enforceDistillableText;
  private final List<String> quantizations;
  private final PriceCaps maxPrice;
  private final ProviderSort sort;
  private final PercentilePreferences preferredMinThroughput;
  private final PercentilePreferences preferredMaxLatency;

  private ProviderPreferences(Builder from) {
    order = List.copyOf(from.order);
    only = from.only == null ? null : List.copyOf(from.only);
    ignore = List.copyOf(from.ignore);
    allowFallbacks = from.allowFallbacks;
    requireParameters = from.requireParameters;
    denyDataCollection = from.denyDataCollection;
    zdr = from.zdr;
    enforceDistillableText = from.enforceDistillableText;
    quantizations = List.copyOf(from.quantizations);
    maxPrice = Objects.requireNonNull(from.maxPrice, "maxPrice");
    sort = Objects.requireNonNull(from.sort, "sort");
    preferredMinThroughput = Objects.requireNonNull(from.minThroughput, "preferredMinThroughput");
    preferredMaxLatency = Objects.requireNonNull(from.maxLatency, "preferredMaxLatency");
  }

  /** Returns the providers to try first, in this order; empty when the caller names none. */
  public List<String> order() {
    return order;
  }

  /**
   * Returns the only providers to use; null when the caller does not restrict them. An empty list
   * allows none.
   */
  public @Nullable List<String> only() {
    return only;
  }

  /** Returns the providers not to use. */
  public List<String> ignore() {
    return ignore;
  }

  /**
   * Returns whether fallbacks may be tried. When false, only the first candidate or those of {@link
   * #order()} are tried, and the caller gets the upstream's own error.
   */
  public boolean allowFallbacks() {
    return allowFallbacks;
  }

  /** Returns whether only endpoints may be used that support every parameter of the request. */
  public boolean requireParameters() {
    return requireParameters;
  }

  /** Returns whether providers that train on prompts are excluded. */
  public boolean denyDataCollection() {
    return denyDataCollection;
  }

  /**
   * Returns whether providers that retain data are excluded. False does not lift a restriction of
   * the account.
   */
  public boolean zdr() {
    return zdr;
  }

  /** Returns whether only models may be used whose author allows distillation of their text. */
  public boolean enforceDistillableText() {
    return enforceDistillableText;
  }

  /**
   * Returns the quantization levels to use, by wire names such as {@code fp8}; empty if the caller
   * does not restrict them.
   */
  public List<String> quantizations() {
    return quantizations;
  }

  /** Returns the maximum prices that the caller accepts. */
  public PriceCaps maxPrice() {
    return maxPrice;
  }

  /** Returns how endpoints are sorted; has no effect when {@link #order()} is given. */
  public ProviderSort sort() {
    return sort;
  }

  /** Returns the throughput below which an endpoint is tried later. */
  public PercentilePreferences preferredMinThroughput() {
    return preferredMinThroughput;
  }

  /** Returns the latency above which an endpoint is tried later. */
  public PercentilePreferences preferredMaxLatency() {
    return preferredMaxLatency;
  }

  private List<@Nullable Object> parts() {
    return Arrays.asList(
        order,
        only,
        ignore,
        allowFallbacks,
        requireParameters,
        denyDataCollection,
        zdr,
        enforceDistillableText,
        quantizations,
        maxPrice,
        sort,
        preferredMinThroughput,
        preferredMaxLatency);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ProviderPreferences that && parts().equals(that.parts());
  }

  @Override
  public int hashCode() {
    return parts().hashCode();
  }

  @Override
  public String toString() {
    var text = new StringJoiner(", ", "preferences(", ")");
    text.add("order=" + order).add("only=" + only).add("ignore=" + ignore);
    text.add("quantizations=" + quantizations).add("maxPrice=" + maxPrice).add("sort=" + sort);
    text.add("minThroughput=" + preferredMinThroughput).add("maxLatency=" + preferredMaxLatency);
    text.add("allowFallbacks=" + allowFallbacks).add("requireParameters=" + requireParameters);
    text.add("denyDataCollection=" + denyDataCollection).add("zdr=" + zdr);
    text.add("enforceDistillableText=" + enforceDistillableText);
    return text.toString();
  }

  public Builder toBuilder() {
    return new Builder()
        .order(order)
        .only(only)
        .ignore(ignore)
        .allowFallbacks(allowFallbacks)
        .requireParameters(requireParameters)
        .denyDataCollection(denyDataCollection)
        .zdr(zdr)
        .enforceDistillableText(enforceDistillableText)
        .quantizations(quantizations)
        .maxPrice(maxPrice)
        .sort(sort)
        .preferredMinThroughput(preferredMinThroughput)
        .preferredMaxLatency(preferredMaxLatency);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Builds preferences. */
  public static final class Builder {
    private List<String> order = List.of();
    private @Nullable List<String> only;
    private List<String> ignore = List.of();
    private boolean allowFallbacks = true;
    private boolean requireParameters;
    private boolean denyDataCollection;
    private boolean zdr;
    private boolean enforceDistillableText;
    private List<String> quantizations = List.of();
    private PriceCaps maxPrice = PriceCaps.NONE;
    private ProviderSort sort = ProviderSort.NONE;
    private PercentilePreferences minThroughput = PercentilePreferences.NONE;
    private PercentilePreferences maxLatency = PercentilePreferences.NONE;

    private Builder() {}

    public Builder order(List<String> names) {
      order = names;
      return this;
    }

    public Builder only(@Nullable List<String> names) {
      only = names;
      return this;
    }

    public Builder ignore(List<String> names) {
      ignore = names;
      return this;
    }

    public Builder allowFallbacks(boolean value) {
      allowFallbacks = value;
      return this;
    }

    public Builder requireParameters(boolean value) {
      requireParameters = value;
      return this;
    }

    public Builder denyDataCollection(boolean value) {
      denyDataCollection = value;
      return this;
    }

    public Builder zdr(boolean value) {
      zdr = value;
      return this;
    }

    public Builder enforceDistillableText(boolean value) {
      enforceDistillableText = value;
      return this;
    }

    /**
     * Sets the quantization levels to use.
     *
     * @param levels wire names such as {@code fp8}
     */
    public Builder quantizations(List<String> levels) {
      quantizations = levels;
      return this;
    }

    public Builder maxPrice(PriceCaps caps) {
      maxPrice = caps;
      return this;
    }

    public Builder sort(ProviderSort value) {
      sort = value;
      return this;
    }

    public Builder preferredMinThroughput(PercentilePreferences percentilePreferences) {
      minThroughput = percentilePreferences;
      return this;
    }

    public Builder preferredMaxLatency(PercentilePreferences percentilePreferences) {
      maxLatency = percentilePreferences;
      return this;
    }

    public ProviderPreferences build() {
      return new ProviderPreferences(this);
    }
  }
}
