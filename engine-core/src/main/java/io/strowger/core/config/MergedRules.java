package io.strowger.core.config;

import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderSort;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Puts the settings of an account and its guardrails together. What is allowed is allowed by all of
 * them, what is ignored is ignored by one, and so with zero data retention; the account counts as
 * one more guardrail. Routing fact sheet, section 6.
 */
final class MergedRules {
  private static final List<String> ZDR_GROUPS =
      List.of("anthropic", "openai", "google", "xai", "other");

  private MergedRules() {}

  /**
   * @param guardrails that bind the caller
   * @param sort how endpoints are sorted when a request does not say; null for the draw by price
   * @param catalog all of whose private models the account was approved for: who writes the file
   *     owns them
   */
  static AccountRules of(
      AccountSettings account, List<Guardrail> guardrails, @Nullable String sort, Catalog catalog) {
    var rules =
        AccountRules.builder()
            .allowProviders(account.allowedProviders())
            .ignoreProviders(account.ignoredProviders())
            .zdr(account.zdr())
            .defaultSort(key(sort))
            .privateModels(
                catalog.models().stream().filter(ModelInfo::isPrivate).map(ModelInfo::id).toList());
    guardrails.forEach(guardrail -> add(guardrail.body(), rules));
    return rules.build();
  }

  private static ProviderSort.@Nullable Key key(@Nullable String wireName) {
    return wireName == null ? null : ProviderSort.Key.valueOf(wireName.toUpperCase(Locale.ROOT));
  }

  private static void add(Json.Obj guardrail, AccountRules.Builder rules) {
    rules
        .allowProviders(texts(guardrail, "allowed_providers"))
        .allowModels(texts(guardrail, "allowed_models"));
    rules
        .ignoreProviders(guardrail.texts("ignored_providers"))
        .ignoreModels(guardrail.texts("ignored_models"))
        .zdr(zdr(guardrail));
    if (Json.FALSE.equals(guardrail.get("enable_free_model_training"))) {
      rules.denyFreeTraining();
    }
    if (Json.FALSE.equals(guardrail.get("enable_paid_model_training"))) {
      rules.denyPaidTraining();
    }
  }

  private static List<String> zdr(Json.Obj guardrail) {
    return ZDR_GROUPS.stream().filter(group -> enforces(guardrail, group)).toList();
  }

  /** The deprecated switch for all groups stands for those that are not set. */
  private static boolean enforces(Json.Obj guardrail, String group) {
    Json own = guardrail.get("enforce_zdr_" + group);
    return own instanceof Json.Bool flag
        ? flag.value()
        : Json.TRUE.equals(guardrail.get("enforce_zdr"));
  }

  /** Null when there is no such list, which restricts nothing. */
  private static @Nullable List<String> texts(Json.Obj guardrail, String name) {
    return guardrail.list(name) == null ? null : guardrail.texts(name);
  }
}
