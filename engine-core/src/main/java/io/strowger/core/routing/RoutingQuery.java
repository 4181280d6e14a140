package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole input of a routing decision besides the catalog it names. Immutable. It holds no text
 * of the prompt, so a decision can be recorded, replayed and explained without it: {@link
 * #toJson()} and {@link #fromJson} are exact inverses. Made with {@link #builder}.
 *
 * @param models the requested models, best first, as named: the planner resolves the names
 * @param parameters the mask of the parameters present in the request
 * @param inputModalities the mask of the modalities in the prompt
 * @param outputModalities the mask of the modalities the request asks for as output
 * @param promptTokens the prompt's tokens, estimated from characters; for context lengths, not for
 *     money
 * @param maxPromptTokens the most tokens the prompt can have; a bound for money, not an estimate
 * @param speech what a request for speech needs; null for requests of other kinds
 * @param maxSearches how many searches the upstream itself may make and charge for; at least 0
 * @param maxUnits the most units that the request can use, of {@link Endpoint.Kind#unit()}; 0 for
 *     kinds without a unit
 * @param isBatch whether the request is part of a batch, which costs half of the token prices
 * @param compression which prompts are compressed to fit the context of the chosen endpoint
 * @param reasoningOffMember the name of the member that turns reasoning off; null when none does
 * @param unknownPart the first part of the conversation of an unknown type; null when there is none
 * @param outputLimit the caller's limit on output tokens; 0 when the caller set none
 * @param defaultOutputTokens the output tokens to reserve when neither the caller nor the endpoint
 *     limits them
 * @param budget what the tightest credit limit leaves; null for no limit. A request with a BYOK key
 *     uses 5 % of its price
 * @param budgetWithByok what is left under the tightest limit that also counts requests with BYOK
 *     keys; null for no limit. Such a request uses 105 % of its price
 * @param region the region to compute in, as {@code ProviderInfo.region()}; null for anywhere
 * @param byokKeys the BYOK keys this request may use
 * @param stickyEndpoints the ids of endpoints that served this conversation before and are
 *     preferred
 * @param routers the routers that take part, in the order they act
 * @param at the time of the decision
 * @param seed the seed of every random choice in the decision
 * @param catalogVersion the {@link io.strowger.spi.catalog.Catalog#version()} of the catalog to
 *     plan over
 * @param statisticsSequence the sequence number of the statistics that the decision uses; 0 when
 *     there are none
 */
public record RoutingQuery(
    List<ModelRef> models,
    ProviderPreferences preferences,
    AccountRules account,
    Endpoint.Kind kind,
    long parameters,
    int inputModalities,
    int outputModalities,
    long promptTokens,
    long maxPromptTokens,
    @Nullable SpeechRequirements speech,
    int maxSearches,
    long maxUnits,
    boolean isBatch,
    ContextCompressionScope compression,
    @Nullable String reasoningOffMember,
    @Nullable UnknownPart unknownPart,
    int outputLimit,
    int defaultOutputTokens,
    @Nullable Usd budget,
    @Nullable Usd budgetWithByok,
    ServiceTier tier,
    @Nullable String region,
    List<ByokKeyRef> byokKeys,
    List<String> stickyEndpoints,
    List<RouterStep> routers,
    Instant at,
    long seed,
    String catalogVersion,
    long statisticsSequence) {
  public RoutingQuery {
    models = List.copyOf(models);
    byokKeys = List.copyOf(byokKeys);
    stickyEndpoints = List.copyOf(stickyEndpoints);
    routers = List.copyOf(routers);
  }

  /** Returns the query as JSON, for a decision log or a person. */
  public Json.Obj toJson() {
    return RoutingQueryJson.write(this);
  }

  /** Reads what {@link #toJson()} wrote; throws IllegalArgumentException for anything else. */
  public static RoutingQuery fromJson(Json.Obj json) {
    return RoutingQueryJson.read(new RecordedJson(json));
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
      this.catalogVersion = catalogVersion;
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
      return new RoutingQuery(
          models,
          preferences,
          account,
          kind,
          parameters,
          inputModalities,
          outputModalities,
          promptTokens,
          maxPromptTokens,
          speech,
          maxSearches,
          maxUnits,
          isBatch,
          compression,
          reasoningOffMember,
          unknownPart,
          outputLimit,
          defaultOutputTokens,
          budget,
          budgetWithByok,
          tier,
          region,
          byokKeys,
          stickyEndpoints,
          routers,
          at,
          seed,
          catalogVersion,
          statisticsSequence);
    }
  }
}
