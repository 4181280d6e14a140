package io.strowger.core.plan;

import io.strowger.core.plan.EndpointRule.Test;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Quantization;
import java.util.List;
import java.util.StringJoiner;

/**
 * Creates the rules that drop endpoints by the caller's preferences: members of {@code provider}.
 */
final class PreferenceRules {
  private static final long LENGTH_PARAMETERS =
      Parameter.mask(List.of(Parameter.MAX_TOKENS, Parameter.MAX_COMPLETION_TOKENS));
  private static final long REASONING_PARAMETERS =
      Parameter.mask(
          List.of(Parameter.REASONING, Parameter.REASONING_EFFORT, Parameter.INCLUDE_REASONING));

  private PreferenceRules() {}

  /** Returns a test that drops endpoints missing from the caller's {@code only}. */
  static Test only(RuleContext context) {
    List<String> only = context.query().preferences().only();
    return only == null ? Test.KEEPS_ALL : ProviderSet.excludingUnlisted(only, context);
  }

  static String onlyReason(Endpoint endpoint, RuleContext context) {
    List<String> only = context.query().preferences().only();
    return "permits " + NameFormatter.format(only == null ? List.of() : only);
  }

  /** Returns a test that drops endpoints in the caller's {@code ignore}. */
  static Test ignore(RuleContext context) {
    List<String> names = context.query().preferences().ignore();
    return names.isEmpty() ? Test.KEEPS_ALL : ProviderSet.ofCaller(names, context);
  }

  /** Returns a test that drops providers which may train on prompts, if the caller forbids it. */
  static Test dataCollection(RuleContext context) {
    return context.query().preferences().denyDataCollection()
        ? context.index().traits().trains()
        : Test.KEEPS_ALL;
  }

  /** Returns a test that drops providers which may keep prompts, if the caller forbids it. */
  static Test zdr(RuleContext context) {
    return context.query().preferences().zdr()
        ? context.index().traits().retains()
        : Test.KEEPS_ALL;
  }

  /**
   * Returns a test that drops models whose text must not train other models, if that is enforced.
   */
  static Test distillable(RuleContext context) {
    CatalogTraits traits = context.index().traits();
    return context.query().preferences().enforceDistillableText()
        ? endpoint -> !traits.isDistillable(endpoint.modelOrdinal())
        : Test.KEEPS_ALL;
  }

  /**
   * Returns a test that drops endpoints of quantizations the caller does not list; {@code fp4} and
   * {@code fp8} stand for their families.
   */
  static Test quantizations(RuleContext context) {
    List<String> names = context.query().preferences().quantizations();
    if (names.isEmpty()) {
      return Test.KEEPS_ALL;
    }
    int levels = 0;
    for (int i = 0; i < names.size(); i++) {
      levels |= Quantization.ofWireName(names.get(i)).map(Quantization::family).orElse(0);
    }
    return context.index().traits().quantizedOtherThan(levels);
  }

  static String quantizationsReason(Endpoint endpoint, RuleContext context) {
    return "is "
        + endpoint.quantization()
        + ", permits "
        + NameFormatter.format(context.query().preferences().quantizations());
  }

  /**
   * Returns a test that drops endpoints which do not take every parameter of the request, where the
   * caller requires it. Synonymous parameters are treated as one.
   */
  static Test parameters(RuleContext context) {
    long requested = context.query().parameters();
    return context.query().preferences().requireParameters() && requested != 0
        ? context.index().traits().requiringAll(requested)
        : Test.KEEPS_ALL;
  }

  static String parametersReason(Endpoint endpoint, RuleContext context) {
    var names = new StringJoiner(", ", "does not take ", "");
    long missingParameters = context.query().parameters() & ~parametersOf(endpoint);
    for (Parameter parameter : Parameter.values()) {
      if ((missingParameters & parameter.bit()) != 0) {
        names.add(parameter.wireName());
      }
    }
    return names.toString();
  }

  /** Returns the mask of the parameters an endpoint takes, synonyms included. */
  static long parametersOf(Endpoint endpoint) {
    long mask = endpoint.parameterMask();
    mask |= (mask & LENGTH_PARAMETERS) != 0 ? LENGTH_PARAMETERS : 0;
    return mask | ((mask & REASONING_PARAMETERS) != 0 ? REASONING_PARAMETERS : 0);
  }
}
