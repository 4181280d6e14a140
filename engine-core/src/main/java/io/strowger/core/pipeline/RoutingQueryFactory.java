package io.strowger.core.pipeline;

import io.strowger.core.authentication.Caller;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.meter.SearchAllowance;
import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.ServiceTier;
import io.strowger.core.routing.SpeechRequirements;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.speech.SpeechFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the routing query of a request; the query holds no text of the prompt. Pure, provided that
 * routers read the request without side effects.
 */
public final class RoutingQueryFactory {
  private static final int BYTES_PER_TOKEN = 4; // for context lengths, never for money

  private static final long REASONING_PARAMETERS =
      Parameter.REASONING.bit() | Parameter.REASONING_EFFORT.bit();

  /** The error when neither request nor account names a model. */
  public static final GatewayError NO_MODEL =
      GatewayError.of(
          ErrorCode.INVALID_REQUEST,
          List.of(
              new Problem(
                  JsonPointer.ROOT.child("model"),
                  "is required, since the account has no default model",
                  "")));

  private RoutingQueryFactory() {}

  /**
   * Returns the models a request names, or else the default of the caller's workspace or account.
   *
   * @param caller null for an anonymous caller
   */
  public static List<ModelRef> models(
      InferenceRequest request, AccountPolicy policy, @Nullable Caller caller) {
    String defaultModel = policy.defaultModel(caller);
    return request.models().isEmpty() && defaultModel != null
        ? List.of(ModelRef.parse(defaultModel))
        : request.models();
  }

  /**
   * Returns a query with the members that follow from request and snapshot. The caller adds those
   * that depend on the moment: time, seed, statistics, budget and sticky endpoints.
   *
   * @param models the result of {@link #models}
   * @param caller null for an anonymous caller
   * @throws io.strowger.core.plan.PluginFailureException when a router fails to read the request
   */
  public static RoutingQuery.Builder of(
      InferenceRequest request,
      List<ModelRef> models,
      PromptSize size,
      Snapshot snapshot,
      @Nullable Caller caller) {
    AccountPolicy policy = snapshot.accountPolicy();
    return RoutingQuery.builder(snapshot.catalog().version())
        .kind(request.kind())
        .models(models)
        .preferences(preferences(request))
        .account(policy.rules().of(caller))
        .parameters(request.parameterMask())
        .inputModalities(size.modalities())
        .outputModalities(outputModalities(request))
        .promptTokens(promptTokens(size))
        .compression(
            request.kind() == Endpoint.Kind.CHAT
                ? snapshot.plugins().compression(request)
                : ContextCompressionScope.UNAVAILABLE)
        .maxPromptTokens(size.maxTokens())
        .speech(speech(request, size))
        .maxUnits(size.units())
        .maxSearches(SearchAllowance.of(request))
        .reasoningOffMember(reasoningOff(request))
        .unknownPart(UnknownParts.of(request))
        .outputLimit(request.maxOutputTokens())
        .defaultOutputTokens(policy.defaultOutputTokens())
        .tier(tier(request))
        .byokKeys(policy.keysFor(caller))
        .routers(snapshot.plugins().steps(request, models));
  }

  private static @Nullable SpeechRequirements speech(InferenceRequest request, PromptSize size) {
    if (request.kind() != Endpoint.Kind.SPEECH) {
      return null;
    }
    Json.Obj members = request.members();
    String format = members.text("response_format");
    return new SpeechRequirements(
        size.characters(),
        members.get("input") instanceof Json.Arr,
        format == null ? SpeechFormat.PCM.wireName() : format);
  }

  /** Returns an estimate of a prompt's tokens, for context lengths, never for money. */
  static long promptTokens(PromptSize size) {
    return (size.longestTextBytes() + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
  }

  /**
   * Returns the preferences with the deprecated {@code route} applied, which says how sorting is
   * partitioned. A partition stated in {@code provider.sort} takes precedence. Provider routing
   * fact sheet, section 4.
   */
  private static ProviderPreferences preferences(InferenceRequest request) {
    ProviderPreferences preferences = request.preferences();
    return Json.of("sort").equals(request.member("route")) && !statesPartition(request)
        ? preferences.toBuilder()
            .sort(new ProviderSort(preferences.sort().by(), ProviderSort.Partition.NONE))
            .build()
        : preferences;
  }

  private static boolean statesPartition(InferenceRequest request) {
    return request.members().get("provider") instanceof Json.Obj provider
        && provider.get("sort") instanceof Json.Obj sort
        && sort.get("partition") instanceof Json.Str;
  }

  /** Returns the requested modalities; text by default. */
  private static int outputModalities(InferenceRequest request) {
    int mask = 0;
    if (request.member("modalities") instanceof Json.Arr modalities) {
      for (int i = 0; i < modalities.size(); i++) {
        for (Modality modality : Modality.values()) {
          mask |= modalities.get(i).equals(Json.of(modality.wireName())) ? modality.bit() : 0;
        }
      }
    }
    return mask == 0 ? Modality.TEXT.bit() : mask;
  }

  /** Returns the name of the member that turns reasoning off; null when none does. */
  private static @Nullable String reasoningOff(InferenceRequest request) {
    boolean setsReasoning = (request.parameterMask() & REASONING_PARAMETERS) != 0;
    if (!setsReasoning || !request.generationParameters().reasoning().isDisabled()) {
      return null;
    }
    return switch (request.dialect()) {
      case CHAT ->
          Json.of("none").equals(request.member("reasoning_effort"))
              ? "reasoning_effort"
              : "reasoning";
      case MESSAGES -> "thinking";
      case RESPONSES, GEMINI -> "reasoning";
    };
  }

  /**
   * Returns the service tier, from the values of every dialect and the {@code speed} of messages.
   */
  private static ServiceTier tier(InferenceRequest request) {
    String word = request.member("service_tier") instanceof Json.Str text ? text.text() : "auto";
    return switch (word) {
      case "fast", "priority" -> ServiceTier.PRIORITY;
      case "flex" -> ServiceTier.FLEX;
      case "default", "standard", "standard_only" -> ServiceTier.DEFAULT;
      default ->
          Json.of("fast").equals(request.member("speed"))
              ? ServiceTier.PRIORITY
              : ServiceTier.UNSET;
    };
  }
}
