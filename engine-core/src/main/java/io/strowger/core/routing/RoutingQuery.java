package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The whole input of a routing decision besides the catalog it names. Immutable. It holds no text
 * of the prompt, so a decision can be recorded, replayed and explained without it: {@link
 * #toJson()} and {@link #fromJson} are exact inverses.
 */
public final class RoutingQuery {
  private final List<ModelRef> models;
  private final ProviderPreferences preferences;
  private final AccountRules account;
  private final Endpoint.Kind kind;
  private final long parameters;
  private final int inputModalities;
  private final int outputModalities;
  private final long promptTokens;
  private final long maxPromptTokens;
  private final @Nullable SpeechRequirements speech;
  private final int maxSearches;
  private final long maxUnits;
  private final boolean isBatch;
  private final ContextCompressionScope compression;
  private final @Nullable String reasoningOffMember;
  private final @Nullable UnknownPart unknownPart;
  private final int outputLimit;
  private final int defaultOutputTokens;
  private final @Nullable Usd budget;
  private final @Nullable Usd budgetWithByok;
  private final ServiceTier tier;
  private final @Nullable String region;
  private final List<ByokKeyRef> byokKeys;
  private final List<String> stickyEndpoints;
  private final List<RouterStep> routers;
  private final Instant at;
  private final long seed;
  private final String catalogVersion;
  private final long statisticsSequence;

  private RoutingQuery(Builder builder) {
    models = List.copyOf(builder.models);
    preferences = builder.preferences;
    account = builder.account;
    kind = builder.kind;
    parameters = builder.parameters;
    inputModalities = builder.inputModalities;
    outputModalities = builder.outputModalities;
    promptTokens = builder.promptTokens;
    maxPromptTokens = builder.maxPromptTokens;
    speech = builder.speech;
    maxSearches = builder.maxSearches;
    maxUnits = builder.maxUnits;
    isBatch = builder.isBatch;
    compression = builder.compression;
    reasoningOffMember = builder.reasoningOffMember;
    unknownPart = builder.unknownPart;
    outputLimit = builder.outputLimit;
    defaultOutputTokens = builder.defaultOutputTokens;
    budget = builder.budget;
    budgetWithByok = builder.budgetWithByok;
    tier = builder.tier;
    region = builder.region;
    byokKeys = List.copyOf(builder.byokKeys);
    stickyEndpoints = List.copyOf(builder.stickyEndpoints);
    routers = List.copyOf(builder.routers);
    at = builder.at;
    seed = builder.seed;
    catalogVersion = builder.catalogVersion;
    statisticsSequence = builder.statisticsSequence;
  }

  /** Returns the requested models, best first, as named: the planner resolves the names. */
  public List<ModelRef> models() {
    return models;
  }

  public ProviderPreferences preferences() {
    return preferences;
  }

  public AccountRules account() {
    return account;
  }

  public Endpoint.Kind kind() {
    return kind;
  }

  /** Returns the mask of the parameters present in the request. */
  public long parameters() {
    return parameters;
  }

  /** Returns the mask of the modalities in the prompt. */
  public int inputModalities() {
    return inputModalities;
  }

  /** Returns the mask of the modalities the request asks for as output. */
  public int outputModalities() {
    return outputModalities;
  }

  /** Returns the prompt's tokens, estimated from characters; for context lengths, not for money. */
  public long promptTokens() {
    return promptTokens;
  }

  /** Returns the most tokens the prompt can have; a bound for money, not an estimate. */
  public long maxPromptTokens() {
    return maxPromptTokens;
  }

  /**
   * Returns the most units that the request can use, of {@link Endpoint.Kind#unit()}; 0 for kinds
   * without a unit.
   */
  public long maxUnits() {
    return maxUnits;
  }

  /** Returns what a request for speech needs; null for requests of other kinds. */
  public @Nullable SpeechRequirements speech() {
    return speech;
  }

  /** Returns how many searches the upstream itself may make and charge for; at least 0. */
  public int maxSearches() {
    return maxSearches;
  }

  /** Returns whether the request is part of a batch, which costs half of the token prices. */
  public boolean isBatch() {
    return isBatch;
  }

  /** Returns which prompts are compressed to fit the context of the chosen endpoint. */
  public ContextCompressionScope compression() {
    return compression;
  }

  /** Returns the name of the member that turns reasoning off; null when none does. */
  public @Nullable String reasoningOffMember() {
    return reasoningOffMember;
  }

  /** Returns the first part of the conversation of an unknown type; null when there is none. */
  public @Nullable UnknownPart unknownPart() {
    return unknownPart;
  }

  /** Returns the caller's limit on output tokens; 0 when the caller set none. */
  public int outputLimit() {
    return outputLimit;
  }

  /** Returns the output tokens to reserve when neither the caller nor the endpoint limits them. */
  public int defaultOutputTokens() {
    return defaultOutputTokens;
  }

  /**
   * Returns what the tightest credit limit leaves; null for no limit. A request with a BYOK key
   * uses 5 % of its price.
   */
  public @Nullable Usd budget() {
    return budget;
  }

  /**
   * Returns what is left under the tightest limit that also counts requests with BYOK keys; null
   * for no limit. Such a request uses 105 % of its price.
   */
  public @Nullable Usd budgetWithByok() {
    return budgetWithByok;
  }

  public ServiceTier tier() {
    return tier;
  }

  /** Returns the region to compute in, as {@code ProviderInfo.region()}; null for anywhere. */
  public @Nullable String region() {
    return region;
  }

  /** Returns the BYOK keys this request may use. */
  public List<ByokKeyRef> byokKeys() {
    return byokKeys;
  }

  /** Returns the ids of endpoints that served this conversation before and are preferred. */
  public List<String> stickyEndpoints() {
    return stickyEndpoints;
  }

  /** Returns the routers that take part, in the order they act. */
  public List<RouterStep> routers() {
    return routers;
  }

  /** Returns the time of the decision. */
  public Instant at() {
    return at;
  }

  /** Returns the seed of every random choice in the decision. */
  public long seed() {
    return seed;
  }

  /** Returns the {@link io.strowger.spi.catalog.Catalog#version()} of the catalog to plan over. */
  public String catalogVersion() {
    return catalogVersion;
  }

  /**
   * Returns the sequence number of the statistics that the decision uses; 0 when there are none.
   */
  public long statisticsSequence() {
    return statisticsSequence;
  }

  /** Returns the query as JSON, for a decision log or a person. */
  public Json.Obj toJson() {
    return RoutingQueryJson.write(this);
  }

  /** Reads what {@link #toJson()} wrote; throws IllegalArgumentException for anything else. */
  public static RoutingQuery fromJson(Json.Obj json) {
    return RoutingQueryJson.read(json);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RoutingQuery that && toJson().equals(that.toJson());
  }

  @Override
  public int hashCode() {
    return Objects.hash(models, seed, at);
  }

  @Override
  public String toString() {
    return toJson().toString();
  }

  public static Builder builder(String catalogVersion) {
    return new Builder(catalogVersion);
  }

  public Builder toBuilder() {
    return toBuilder(catalogVersion);
  }

  /** Returns a builder of the same query about another catalog. */
  public Builder toBuilder(String otherCatalog) {
    Builder copy = new Builder(otherCatalog);
    copy.models = models;
    copy.preferences = preferences;
    copy.account = account;
    copy.kind = kind;
    copy.parameters = parameters;
    copy.inputModalities = inputModalities;
    copy.outputModalities = outputModalities;
    copy.promptTokens(promptTokens)
        .maxPromptTokens(maxPromptTokens)
        .maxSearches(maxSearches)
        .maxUnits(maxUnits);
    copy.isBatch = isBatch;
    copy.speech = speech;
    copy.compression = compression;
    copy.reasoningOffMember = reasoningOffMember;
    copy.unknownPart = unknownPart;
    copy.outputLimit = outputLimit;
    copy.defaultOutputTokens = defaultOutputTokens;
    copy.budget(budget).budgetWithByok(budgetWithByok);
    copy.tier = tier;
    copy.region = region;
    copy.byokKeys = byokKeys;
    copy.stickyEndpoints = stickyEndpoints;
    copy.routers = routers;
    return copy.at(at).seed(seed).statisticsSequence(statisticsSequence);
  }

  /** Builds a query. */
  public static final class Builder {
    private final String catalogVersion;
    private List<ModelRef> models = List.of();
    private ProviderPreferences preferences = ProviderPreferences.NONE;
    private AccountRules account = AccountRules.NONE;
    private Endpoint.Kind kind = Endpoint.Kind.CHAT;
    private long parameters;
    private int inputModalities = 1;
    private int outputModalities = 1;
    private long promptTokens;
    private long maxPromptTokens;
    private @Nullable SpeechRequirements speech;
    private int maxSearches;
    private long maxUnits;
    private boolean isBatch;
    private ContextCompressionScope compression = ContextCompressionScope.UNAVAILABLE;
    private @Nullable String reasoningOffMember;
    private @Nullable UnknownPart unknownPart;
    private int outputLimit;
    private int defaultOutputTokens = 16384;
    private @Nullable Usd budget;
    private @Nullable Usd budgetWithByok;
    private ServiceTier tier = ServiceTier.UNSET;
    private @Nullable String region;
    private List<ByokKeyRef> byokKeys = List.of();
    private List<String> stickyEndpoints = List.of();
    private List<RouterStep> routers = List.of();
    private long statisticsSequence;
    private Instant at = Instant.EPOCH;
    private long seed;

    private Builder(String catalogVersion) {
      this.catalogVersion = Objects.requireNonNull(catalogVersion, "catalogVersion");
    }

    public Builder models(List<ModelRef> value) {
      models = value;
      return this;
    }

    public Builder preferences(ProviderPreferences value) {
      preferences = value;
      return this;
    }

    public Builder account(AccountRules value) {
      account = value;
      return this;
    }

    public Builder kind(Endpoint.Kind value) {
      kind = value;
      return this;
    }

    public Builder parameters(long mask) {
      parameters = mask;
      return this;
    }

    public Builder inputModalities(int mask) {
      inputModalities = mask;
      return this;
    }

    public Builder outputModalities(int mask) {
      outputModalities = mask;
      return this;
    }

    public Builder promptTokens(long tokens) {
      promptTokens = tokens;
      return this;
    }

    public Builder maxPromptTokens(long tokens) {
      maxPromptTokens = tokens;
      return this;
    }

    public Builder speech(@Nullable SpeechRequirements value) {
      speech = value;
      return this;
    }

    public Builder maxUnits(long value) {
      maxUnits = value;
      return this;
    }

    public Builder maxSearches(int value) {
      maxSearches = value;
      return this;
    }

    public Builder batch(boolean value) {
      isBatch = value;
      return this;
    }

    public Builder compression(ContextCompressionScope value) {
      compression = value;
      return this;
    }

    public Builder reasoningOffMember(@Nullable String member) {
      reasoningOffMember = member;
      return this;
    }

    public Builder unknownPart(@Nullable UnknownPart value) {
      unknownPart = value;
      return this;
    }

    public Builder outputLimit(int tokens) {
      outputLimit = tokens;
      return this;
    }

    public Builder defaultOutputTokens(int tokens) {
      defaultOutputTokens = tokens;
      return this;
    }

    public Builder budget(@Nullable Usd value) {
      budget = value;
      return this;
    }

    public Builder budgetWithByok(@Nullable Usd value) {
      budgetWithByok = value;
      return this;
    }

    public Builder tier(ServiceTier value) {
      tier = value;
      return this;
    }

    public Builder region(@Nullable String value) {
      region = value;
      return this;
    }

    public Builder byokKeys(List<ByokKeyRef> keys) {
      byokKeys = keys;
      return this;
    }

    public Builder stickyEndpoints(List<String> endpoints) {
      stickyEndpoints = endpoints;
      return this;
    }

    public Builder routers(List<RouterStep> steps) {
      routers = steps;
      return this;
    }

    public Builder statisticsSequence(long sequence) {
      statisticsSequence = sequence;
      return this;
    }

    public Builder at(Instant value) {
      at = value;
      return this;
    }

    public Builder seed(long value) {
      seed = value;
      return this;
    }

    public RoutingQuery build() {
      return new RoutingQuery(this);
    }
  }
}
