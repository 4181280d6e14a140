package com.example;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.routing.ModelRef;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Refuses models that the company has not approved, and takes the code names of its projects out of
 * everything a model reads. The operator sets both lists; no request can change them.
 */
public final class CompanyPolicy implements PluginProvider.Configurable {
  static final String ID = "company-policy";
  static final Field<List<String>> MODELS =
      Fields.texts("approved_models", "The models that requests may name, also as fallbacks.");
  static final Field<List<String>> CODE_NAMES =
      Fields.texts("code_names", "Names of projects that no provider may see.");

  private final PluginConfig settings;

  /** Creates a policy that approves no model until {@link #with} configures it. */
  public CompanyPolicy() {
    this(PluginConfig.EMPTY);
  }

  private CompanyPolicy(PluginConfig settings) {
    this.settings = settings;
  }

  @Override
  public ConfigSchema settings() {
    return ConfigSchema.of(MODELS, CODE_NAMES);
  }

  @Override
  public CompanyPolicy with(PluginConfig given) {
    return new CompanyPolicy(given);
  }

  @Override
  public Descriptor descriptor() {
    return Descriptor.interceptor(ID).build();
  }

  @Override
  public Interceptor create(PluginConfig config, Catalog catalog) {
    List<String> approved = settings.get(MODELS);
    Pattern secret = anyOf(settings.get(CODE_NAMES));
    return (request, chain) -> {
      for (ModelRef model : request.models()) {
        if (!approved.contains(model.slug())) {
          throw GatewayError.of(
                  ErrorCode.PERMISSION_DENIED,
                  model.slug() + " is not approved; ask for one of " + approved)
              .toException();
        }
      }
      return chain.proceed(
          request.editTexts((text, kind) -> secret.matcher(text).replaceAll("[project]")));
    };
  }

  /** Returns a pattern for any of these names; without names, one that matches nothing. */
  private static Pattern anyOf(List<String> names) {
    String alternatives = names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    return Pattern.compile(
        names.isEmpty() ? "(?!)" : alternatives, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }
}
