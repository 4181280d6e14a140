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
 * Merges the settings of an account with its guardrails. A model or provider is allowed if the
 * account and all guardrails allow it, and ignored if any of these ignores it; the same holds for
 * zero data retention. The account is treated as one more guardrail. Routing fact sheet, section 6.
 */
final class MergedRules {
  private static final List<String> ZDR_GROUPS =
      List.of("anthropic", "openai", "google", "xai", "other");

  private MergedRules() {}

  /**
   * Returns the routing rules of one caller.
   *
   * @param guardrails the guardrails that bind the caller
   * @param sort the order of endpoints when a request sets none; null for a random order weighted
   *     by price
   * @param catalog the catalog; the account is approved for all its private models, since the
   *     author of the file owns them
   */
  static AccountRules of(
      AccountSettings account, List<Guardrail> guardrails, @Nullable String sort, Catalog catalog) {
    var rules =
        AccountRules.builder()
            .allowProviders(account.allowedProviders())
            .ignoreProviders(account.ignoredProviders())
            .zdr(account.zdr())
            .defaultSort(sortKey(sort))
            .privateModels(
                catalog.models().stream().filter(ModelInfo::isPrivate).map(ModelInfo::id).toList());
    guardrails.forEach(guardrail -> add(guardrail.body(), rules));
    return rules.build();
  }

  private static ProviderSort.@Nullable Key sortKey(@Nullable String wireName) {
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

  /** Returns whether zero data retention is on; the deprecated switch is the default. */
  private static boolean enforces(Json.Obj guardrail, String group) {
    Json groupSetting = guardrail.get("enforce_zdr_" + group);
    return groupSetting instanceof Json.Bool flag
        ? flag.value()
        : Json.TRUE.equals(guardrail.get("enforce_zdr"));
  }

  /** Returns the texts of a list; null when there is no such list: then nothing is restricted. */
  private static @Nullable List<String> texts(Json.Obj guardrail, String name) {
    return guardrail.list(name) == null ? null : guardrail.texts(name);
  }
}
