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
 * The settings of the account, which apply to every caller.
 *
 * @param defaultModel the model for requests that name none; null to refuse such requests
 * @param defaultSort {@code price}, {@code throughput}, {@code latency} or {@code exacto}; null for
 *     a random order weighted by price
 * @param allowedProviders slugs of the only providers to use; null for all
 * @param ignoredProviders slugs of providers that are never used
 * @param zdr groups of models for which only endpoints that retain no prompts are used
 * @param guardrails the guardrails that apply to every caller
 * @param keepsContent whether the content of requests and answers is stored with their records
 * @param members the members of the account; may be empty
 */
public record AccountSettings(
    @Nullable String defaultModel,
    @Nullable String defaultSort,
    @Nullable List<String> allowedProviders,
    List<String> ignoredProviders,
    List<String> zdr,
    List<Guardrail> guardrails,
    boolean keepsContent,
    List<AccountMember> members) {
  private static final WordChoice<String> SORTS =
      WordChoice.words("price", "throughput", "latency", "exacto");
  private static final List<String> ZDR_GROUPS =
      List.of("anthropic", "openai", "google", "xai", "other");

  public AccountSettings {
    allowedProviders = allowedProviders == null ? null : List.copyOf(allowedProviders);
    ignoredProviders = List.copyOf(ignoredProviders);
    zdr = List.copyOf(zdr);
    guardrails = List.copyOf(guardrails);
    members = List.copyOf(members);
  }

  /** Returns the routing rules over this catalog, with all guardrails of this configuration. */
  @SuppressWarnings("exports") // for the engine
  public AccountRules rules(Catalog catalog) {
    return rules(catalog, guardrails, null);
  }

  /**
   * Returns the routing rules over this catalog for one caller. A model or provider is allowed if
   * the account and all guardrails allow it, and ignored if any of these ignores it; the same holds
   * for zero data retention. The account is approved for all private models, since the author of
   * the file owns them. Routing fact sheet, section 6.
   *
   * @param bindingGuardrails the guardrails that bind the caller, including those of this
   *     configuration
   * @param sort the order of endpoints when a request sets none; null for that of the account
   */
  @SuppressWarnings("exports") // for the engine
  public AccountRules rules(
      Catalog catalog, List<Guardrail> bindingGuardrails, @Nullable String sort) {
    String order = sort == null ? defaultSort : sort;
    var rules =
        AccountRules.builder()
            .allowProviders(allowedProviders)
            .ignoreProviders(ignoredProviders)
            .zdr(zdr)
            .defaultSort(
                order == null ? null : ProviderSort.Key.valueOf(order.toUpperCase(Locale.ROOT)))
            .privateModels(
                catalog.models().stream().filter(ModelInfo::isPrivate).map(ModelInfo::id).toList());
    bindingGuardrails.forEach(guardrail -> add(guardrail.body(), rules));
    return rules.build();
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

  static AccountSettings read(Section in) {
    String model = in.text("default_model");
    String sort = in.choice("default_sort", SORTS);
    List<String> allowedSlugs = in.texts("allowed_providers");
    List<String> ignoredSlugs = in.texts("ignored_providers");
    List<String> zdr = in.choices("zdr", WordChoice.of(ZDR_GROUPS, group -> group));
    var guardrails =
        in.sections(
            "guardrails", (guardrail, i) -> Guardrail.ofFile(GuardrailReader.read(guardrail)));
    boolean keepsContent = in.flag("io_logging", false);
    var ids = new UniqueNames();
    List<AccountMember> members =
        in.sections("members", (member, i) -> AccountMember.read(member, ids));
    return new AccountSettings(
        model,
        sort,
        allowedSlugs,
        orEmpty(ignoredSlugs),
        orEmpty(zdr),
        guardrails,
        keepsContent,
        members);
  }

  private static List<String> orEmpty(@Nullable List<String> list) {
    return list == null ? List.of() : list;
  }
}
