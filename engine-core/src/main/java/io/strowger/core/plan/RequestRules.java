package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.SpeechRequirements;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Creates the rules that drop endpoints by the kind and the requirements of a request. */
final class RequestRules {
  /** By ordinal of the kind: drop all endpoints but those of the kind. */
  private static final Test[] KIND_TESTS =
      Stream.of(Endpoint.Kind.values()).map(RequestRules::kindTest).toArray(Test[]::new);

  private static final Test[] TIER_TESTS = {tierTest(0), tierTest(1), tierTest(2)};

  private RequestRules() {}

  /**
   * Returns a test that drops endpoints of another kind than the request, such as speech for a
   * chat.
   */
  static Test kind(RuleContext context) {
    Endpoint.Kind kind = context.query().kind();
    if (context.index().traits().hasOnly(kind)) {
      return Test.KEEPS_ALL;
    }
    return KIND_TESTS[kind.ordinal()];
  }

  private static Test kindTest(Endpoint.Kind kind) {
    return endpoint -> endpoint.kind() != kind;
  }

  static String kindReason(Endpoint endpoint, RuleContext context) {
    return "serves "
        + endpoint.kind().name().toLowerCase(Locale.ROOT)
        + ", not "
        + context.query().kind().name().toLowerCase(Locale.ROOT);
  }

  /** Returns a test that drops private models the account is not approved for. */
  static Test privateModels(RuleContext context) {
    return context.index().traits().hasPrivateModels()
        ? endpoint -> isForbidden(endpoint.modelOrdinal(), context)
        : Test.KEEPS_ALL;
  }

  private static boolean isForbidden(int model, RuleContext context) {
    return context.index().traits().isPrivate(model)
        && !ModelNames.isApproved(context.catalog().models().get(model), context.query());
  }

  /**
   * Returns a test that drops endpoints of a service tier the request did not opt in to: neither by
   * {@code service_tier}, nor by a variant of the model's name, nor by naming the endpoint's own
   * tag in {@code only} or {@code order}. Routing fact sheet, section 9.
   */
  static Test serviceTier(RuleContext context) {
    if (context.admittedTiers() == ServiceTierMask.ALL || !context.index().traits().hasTiers()) {
      return Test.KEEPS_ALL;
    }
    Test tierTest = TIER_TESTS[context.admittedTiers()];
    List<String> order = context.query().preferences().order();
    List<String> only = context.query().preferences().only();
    if (!containsTag(order) && (only == null || !containsTag(only))) {
      return tierTest;
    }
    ProviderSet orderSet = ProviderSet.ofCaller(order, context);
    ProviderSet onlySet = ProviderSet.ofCaller(only == null ? List.of() : only, context);
    return endpoint ->
        tierTest.drops(endpoint) && !orderSet.hasTag(endpoint) && !onlySet.hasTag(endpoint);
  }

  private static Test tierTest(int admitted) {
    return endpoint ->
        endpoint.serviceTier() != null && (ServiceTierMask.of(endpoint) & admitted) == 0;
  }

  private static boolean containsTag(List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      if (ListedNames.isTag(names.get(i))) {
        return true;
      }
    }
    return false;
  }

  static String serviceTierReason(Endpoint endpoint, RuleContext context) {
    return "belongs to the service tier " + endpoint.serviceTier() + ", which was not asked for";
  }

  /**
   * Returns a test that drops endpoints outside the region of the request, and those whose region
   * is not known.
   */
  static Test region(RuleContext context) {
    String region = context.query().region();
    if (region == null) {
      return Test.KEEPS_ALL;
    }
    var inRegion = new BitSet();
    List<ProviderInfo> providers = context.catalog().providers();
    for (int i = 0; i < providers.size(); i++) {
      inRegion.set(i, region.equalsIgnoreCase(providers.get(i).region()));
    }
    return endpoint -> !inRegion.get(endpoint.providerOrdinal());
  }

  static String regionReason(Endpoint endpoint, RuleContext context) {
    String region = endpoint.provider().region();
    String requirement = ", must be " + context.query().region();
    return (region == null ? "does not say where it computes" : "computes in " + region)
        + requirement;
  }

  /**
   * Returns a test that drops models which always reason, where the request turns reasoning off. A
   * model requested as the latest of a family is kept: the request is raised to the lowest effort
   * that the model has. Routing fact sheet, section 10.
   */
  static Test reasoning(RuleContext context) {
    CatalogTraits traits = context.index().traits();
    if (context.query().reasoningOffMember() == null || !traits.hasAlwaysReasoningModels()) {
      return Test.KEEPS_ALL;
    }
    BitSet latest = latest(context);
    return endpoint ->
        traits.alwaysReasons(endpoint.modelOrdinal()) && !latest.get(endpoint.modelOrdinal());
  }

  /** Returns the models that were requested as the latest of a family. */
  private static BitSet latest(RuleContext context) {
    var latest = new BitSet();
    RoutingQuery query = context.query();
    RequestedModel[] requestedModels = ModelNames.resolve(query, context.index());
    if (requestedModels != null) {
      for (RequestedModel requestedModel : requestedModels) {
        ModelEndpoints model = requestedModel.model();
        if (model != null && ModelNames.isLatest(query.models().get(requestedModel.index()))) {
          latest.set(model.model().ordinal());
        }
      }
    }
    return latest;
  }

  /** Returns a test that drops endpoints which cannot read a kind of input in the prompt. */
  static Test inputs(RuleContext context) {
    int requiredModalities = context.query().inputModalities();
    return (requiredModalities & ~context.index().traits().commonInputs()) == 0
        ? Test.KEEPS_ALL
        : endpoint -> (requiredModalities & ~endpoint.inputModalities()) != 0;
  }

  static String inputsReason(Endpoint endpoint, RuleContext context) {
    int missingModalities = context.query().inputModalities() & ~endpoint.inputModalities();
    return "does not read " + NameFormatter.ofModalities(missingModalities);
  }

  /** Returns a test that drops endpoints which cannot write a kind of output a chat asks for. */
  static Test outputs(RuleContext context) {
    int requiredModalities = context.query().outputModalities();
    return context.query().kind() != Endpoint.Kind.CHAT
            || (requiredModalities & ~context.index().traits().commonOutputs()) == 0
        ? Test.KEEPS_ALL
        : endpoint -> (requiredModalities & ~endpoint.outputModalities()) != 0;
  }

  static String outputsReason(Endpoint endpoint, RuleContext context) {
    int missingModalities = context.query().outputModalities() & ~endpoint.outputModalities();
    return "does not write " + NameFormatter.ofModalities(missingModalities);
  }

  /**
   * Returns a test that drops endpoints of one voice when the text has several speakers. Contract:
   * "POST /audio/speech", {@code input}.
   */
  static Test multiSpeaker(RuleContext context) {
    SpeechRequirements needs = context.query().speech();
    return needs != null && needs.multiSpeaker()
        ? endpoint -> !endpoint.multiSpeaker()
        : Test.KEEPS_ALL;
  }

  /**
   * Returns a test that drops endpoints which do not produce the requested audio format. Contract:
   * "POST /audio/speech", {@code response_format}.
   */
  static Test audioFormat(RuleContext context) {
    SpeechRequirements needs = context.query().speech();
    if (needs == null) {
      return Test.KEEPS_ALL;
    }
    String format = needs.format();
    return endpoint -> !endpoint.audioFormats().contains(format);
  }

  static String audioFormatReason(Endpoint endpoint, RuleContext context) {
    return "produces audio as " + String.join(", ", endpoint.audioFormats());
  }

  /** Returns a test that drops endpoints whose known output maximum is below the caller's limit. */
  static Test maxTokens(RuleContext context) {
    int limit = context.query().outputLimit();
    return limit <= context.index().traits().minOutput()
        ? Test.KEEPS_ALL
        : endpoint -> endpoint.maxOutputTokens() > 0 && endpoint.maxOutputTokens() < limit;
  }

  static String maxTokensReason(Endpoint endpoint, RuleContext context) {
    return "writes at most "
        + endpoint.maxOutputTokens()
        + " tokens, "
        + context.query().outputLimit()
        + " were asked for";
  }
}
