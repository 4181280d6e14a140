package io.strowger.spi.routing;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a caller prefers about providers. Immutable. Contract: "Provider preferences".
 *
 * <p>A name in a list is a provider's slug or display name, which matches all of its endpoints but
 * those of a service tier, or with a slash a tag, which matches just the endpoints of that tag.
 * Names that match nothing are no error. In any case.
 */
public final class ProviderPreferences {
  public static final ProviderPreferences NONE = builder().build();

  private final List<String> order;
  private final @Nullable List<String> only;
  private final List<String> ignore;
  private final boolean allowFallbacks;

  private ProviderPreferences(Builder from) {
    order = List.copyOf(from.order);
    only = from.only == null ? null : List.copyOf(from.only);
    ignore = List.copyOf(from.ignore);
    allowFallbacks = from.allowFallbacks;
  }

  /** Who is tried first, in this order; empty when the caller has no opinion. */
  public List<String> order() {
    return order;
  }

  /**
   * The only ones to use; null when the caller does not restrict them. An empty list allows nobody.
   */
  public @Nullable List<String> only() {
    return only;
  }

  /** Who is not to be used. */
  public List<String> ignore() {
    return ignore;
  }

  /**
   * False: only the first candidate, or those of {@link #order()}, and then the upstream's own
   * error.
   */
  public boolean allowFallbacks() {
    return allowFallbacks;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ProviderPreferences that
        && order.equals(that.order)
        && Objects.equals(only, that.only)
        && ignore.equals(that.ignore)
        && allowFallbacks == that.allowFallbacks;
  }

  @Override
  public int hashCode() {
    return Objects.hash(order, only, ignore, allowFallbacks);
  }

  @Override
  public String toString() {
    return "order "
        + order
        + ", only "
        + only
        + ", ignore "
        + ignore
        + ", fallbacks "
        + allowFallbacks;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects preferences. */
  public static final class Builder {
    private List<String> order = List.of();
    private @Nullable List<String> only;
    private List<String> ignore = List.of();
    private boolean allowFallbacks = true;

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

    public ProviderPreferences build() {
      return new ProviderPreferences(this);
    }
  }
}
