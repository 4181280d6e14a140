package io.strowger.core.config;

import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Catalog;
import java.util.List;
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
  private static final WordChoice<String> ZDR_GROUPS =
      WordChoice.words("anthropic", "openai", "google", "xai", "other");

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
   * Returns the routing rules over this catalog for one caller.
   *
   * @param bindingGuardrails the guardrails that bind the caller, including those of this
   *     configuration
   * @param sort the order of endpoints when a request sets none; null for that of the account
   */
  @SuppressWarnings("exports") // for the engine
  public AccountRules rules(
      Catalog catalog, List<Guardrail> bindingGuardrails, @Nullable String sort) {
    return MergedRules.of(this, bindingGuardrails, sort == null ? defaultSort : sort, catalog);
  }

  static AccountSettings read(Section in) {
    String model = in.text("default_model");
    String sort = in.choice("default_sort", SORTS);
    List<String> allowedSlugs = in.texts("allowed_providers");
    List<String> ignoredSlugs = in.texts("ignored_providers");
    List<String> zdr = in.choices("zdr", ZDR_GROUPS);
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
