package io.strowger.core.routing;

import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the caller's account allows, merged from all of its settings: the account's own and every
 * guardrail that binds the caller. Immutable. Routing fact sheet, section 6.
 *
 * <p>Names of providers are those of {@link ProviderPreferences}, but the name of a provider also
 * matches its service tiers. Names of models are ids, and may hold {@code *} for any run of
 * characters.
 *
 * @param allowedProviders the provider lists, each of which an endpoint must match; empty for no
 *     restriction
 * @param ignoredProviders the providers never used
 * @param allowedModels the model lists, each of which a model must match; empty for no restriction
 * @param ignoredModels the models never used
 * @param zdr the groups of models that require zero data retention: {@code anthropic}, {@code
 *     openai}, {@code google} and {@code xai} by author, {@code other} for all the rest
 * @param allowsFreeTraining whether free endpoints may belong to providers that train on prompts
 * @param allowsPaidTraining whether paid endpoints may belong to providers that train on prompts
 * @param defaultSort the sort for requests that ask for none; null for the gateway's default order
 * @param privateModels the ids of private models approved for the account; others do not exist for
 *     it
 */
public record AccountRules(
    List<List<String>> allowedProviders,
    List<String> ignoredProviders,
    List<List<String>> allowedModels,
    List<String> ignoredModels,
    List<String> zdr,
    boolean allowsFreeTraining,
    boolean allowsPaidTraining,
    ProviderSort.@Nullable Key defaultSort,
    List<String> privateModels) {
  public static final AccountRules NONE = builder().build();

  public AccountRules {
    allowedProviders = List.copyOf(allowedProviders);
    ignoredProviders = List.copyOf(ignoredProviders);
    allowedModels = List.copyOf(allowedModels);
    ignoredModels = List.copyOf(ignoredModels);
    zdr = List.copyOf(zdr);
    privateModels = List.copyOf(privateModels);
  }

  @Override
  public String toString() {
    return RoutingQueryJson.write(this).toString();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects the rules of several settings: restrictions add up and are never lifted. */
  public static final class Builder {
    private final List<List<String>> allowedProviders = new ArrayList<>();
    private final List<String> ignoredProviders = new ArrayList<>();
    private final List<List<String>> allowedModels = new ArrayList<>();
    private final List<String> ignoredModels = new ArrayList<>();
    private final List<String> zdr = new ArrayList<>();
    private boolean allowsFreeTraining = true;
    private boolean allowsPaidTraining = true;
    private ProviderSort.@Nullable Key defaultSort;
    private final List<String> privateModels = new ArrayList<>();

    private Builder() {}

    /**
     * Adds a list of allowed providers; an endpoint must match every list that was added. Null adds
     * none.
     */
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

    /** Adds a list of allowed models, as {@link #allowProviders} does for providers. */
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
     * Requires zero data retention for groups of models.
     *
     * @param groups the groups, as in {@link AccountRules#zdr()}
     */
    public Builder zdr(List<String> groups) {
      add(groups, zdr);
      return this;
    }

    /** Excludes free endpoints whose provider trains on prompts. */
    public Builder denyFreeTraining() {
      allowsFreeTraining = false;
      return this;
    }

    /** Excludes paid endpoints whose provider trains on prompts. */
    public Builder denyPaidTraining() {
      allowsPaidTraining = false;
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

    private static void add(List<String> source, List<String> target) {
      for (String name : source) {
        if (!target.contains(name)) {
          target.add(name);
        }
      }
    }

    public AccountRules build() {
      return new AccountRules(
          allowedProviders,
          ignoredProviders,
          allowedModels,
          ignoredModels,
          zdr,
          allowsFreeTraining,
          allowsPaidTraining,
          defaultSort,
          privateModels);
    }
  }
}
