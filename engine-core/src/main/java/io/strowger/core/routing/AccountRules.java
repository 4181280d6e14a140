package io.strowger.core.routing;

import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the caller's account allows, merged from all of its settings: the account's own and every
 * guardrail that binds the caller. Immutable. Provider routing fact sheet, section 6.
 *
 * <p>Names of providers are those of {@link ProviderPreferences}, but a provider's name stands for
 * its service tiers too. Names of models are ids, and may hold {@code *} for any run of characters.
 */
public final class AccountRules {
  public static final AccountRules NONE = builder().build();

  private final List<List<String>> allowedProviders;
  private final List<String> ignoredProviders;
  private final List<List<String>> allowedModels;
  private final List<String> ignoredModels;
  private final List<String> zdr;
  private final boolean freeTraining;
  private final boolean paidTraining;
  private final ProviderSort.@Nullable Key defaultSort;
  private final List<String> privateModels;

  private AccountRules(Builder from) {
    allowedProviders = List.copyOf(from.allowedProviders);
    ignoredProviders = List.copyOf(from.ignoredProviders);
    allowedModels = List.copyOf(from.allowedModels);
    ignoredModels = List.copyOf(from.ignoredModels);
    zdr = List.copyOf(from.zdr);
    freeTraining = from.freeTraining;
    paidTraining = from.paidTraining;
    defaultSort = from.defaultSort;
    privateModels = List.copyOf(from.privateModels);
  }

  /** Lists an endpoint must be in, each of them; empty when providers are not restricted. */
  public List<List<String>> allowedProviders() {
    return allowedProviders;
  }

  /** Providers never used. */
  public List<String> ignoredProviders() {
    return ignoredProviders;
  }

  /** Lists a model must be in, each of them; empty when models are not restricted. */
  public List<List<String>> allowedModels() {
    return allowedModels;
  }

  /** Models never used. */
  public List<String> ignoredModels() {
    return ignoredModels;
  }

  /**
   * Groups of models for which nobody is used who retains data: {@code anthropic}, {@code openai},
   * {@code google}, {@code xai} by the author, {@code other} for all the rest.
   */
  public List<String> zdr() {
    return zdr;
  }

  /** False: no free endpoint whose provider trains on prompts. */
  public boolean freeTraining() {
    return freeTraining;
  }

  /** False: no endpoint that costs something and whose provider trains on prompts. */
  public boolean paidTraining() {
    return paidTraining;
  }

  /** How endpoints are sorted when a request does not say; null for the draw by price. */
  public ProviderSort.@Nullable Key defaultSort() {
    return defaultSort;
  }

  /** Ids of the private models the account was approved for; the others do not exist for it. */
  public List<String> privateModels() {
    return privateModels;
  }

  private List<@Nullable Object> parts() {
    var parts = new ArrayList<@Nullable Object>();
    parts.add(allowedProviders);
    parts.add(ignoredProviders);
    parts.add(allowedModels);
    parts.add(ignoredModels);
    parts.add(zdr);
    parts.add(freeTraining);
    parts.add(paidTraining);
    parts.add(defaultSort);
    parts.add(privateModels);
    return parts;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AccountRules that && parts().equals(that.parts());
  }

  @Override
  public int hashCode() {
    return Objects.hash(allowedProviders, ignoredProviders, allowedModels, ignoredModels, zdr);
  }

  @Override
  public String toString() {
    return AccountRulesJson.write(this).toString();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects rules, of one setting after the other: each can only forbid more. */
  public static final class Builder {
    private final List<List<String>> allowedProviders = new ArrayList<>();
    private final List<String> ignoredProviders = new ArrayList<>();
    private final List<List<String>> allowedModels = new ArrayList<>();
    private final List<String> ignoredModels = new ArrayList<>();
    private final List<String> zdr = new ArrayList<>();
    private boolean freeTraining = true;
    private boolean paidTraining = true;
    private ProviderSort.@Nullable Key defaultSort;
    private final List<String> privateModels = new ArrayList<>();

    private Builder() {}

    /** Only these, and only those of them that every other such list has; null: no such list. */
    public Builder allowProviders(@Nullable List<String> names) {
      if (names != null) {
        allowedProviders.add(List.copyOf(names));
      }
      return this;
    }

    public Builder ignoreProviders(List<String> names) {
      add(names, ignoredProviders);
      return this;
    }

    /** As {@link #allowProviders}, for models. */
    public Builder allowModels(@Nullable List<String> ids) {
      if (ids != null) {
        allowedModels.add(List.copyOf(ids));
      }
      return this;
    }

    public Builder ignoreModels(List<String> ids) {
      add(ids, ignoredModels);
      return this;
    }

    /**
     * @param groups as {@link AccountRules#zdr()} has them
     */
    public Builder zdr(List<String> groups) {
      add(groups, zdr);
      return this;
    }

    /** Nobody who trains on prompts among the free endpoints. */
    public Builder denyFreeTraining() {
      freeTraining = false;
      return this;
    }

    /** Nobody who trains on prompts among the endpoints that cost something. */
    public Builder denyPaidTraining() {
      paidTraining = false;
      return this;
    }

    public Builder defaultSort(ProviderSort.@Nullable Key key) {
      defaultSort = key;
      return this;
    }

    public Builder privateModels(List<String> ids) {
      add(ids, privateModels);
      return this;
    }

    private static void add(List<String> more, List<String> to) {
      for (String name : more) {
        if (!to.contains(name)) {
          to.add(name);
        }
      }
    }

    public AccountRules build() {
      return new AccountRules(this);
    }
  }
}
