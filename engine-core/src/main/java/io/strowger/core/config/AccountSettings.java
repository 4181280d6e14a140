package io.strowger.core.config;

import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Catalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the account, which apply to every caller.
 *
 * @param defaultModel used by requests that name none; null: such requests are refused
 * @param defaultSort {@code price}, {@code throughput}, {@code latency} or {@code exacto}; null for
 *     the price-weighted draw
 * @param allowedProviders the only ones; null: all
 * @param ignoredProviders never used
 * @param zdr groups of models for which only endpoints that retain nothing are used
 * @param guardrails bind every caller
 * @param ioLogging what is said in requests is kept with their records
 * @param members who belongs to the account; empty: nobody is named
 */
public record AccountSettings(
    @Nullable String defaultModel,
    @Nullable String defaultSort,
    @Nullable List<String> allowedProviders,
    List<String> ignoredProviders,
    List<String> zdr,
    List<Guardrail> guardrails,
    boolean ioLogging,
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

  /** What follows for routing over this catalog, all guardrails included. */
  @SuppressWarnings("exports") // for the engine
  public AccountRules rules(Catalog catalog) {
    return rules(catalog, guardrails, null);
  }

  /**
   * What follows for routing over this catalog.
   *
   * @param binding the guardrails that bind the caller, those of this configuration among them
   * @param sort how endpoints are sorted when a request does not say; null: as the account says
   */
  @SuppressWarnings("exports") // for the engine
  public AccountRules rules(Catalog catalog, List<Guardrail> binding, @Nullable String sort) {
    return MergedRules.of(this, binding, sort == null ? defaultSort : sort, catalog);
  }

  static AccountSettings read(Section in) {
    String model = in.text("default_model");
    String sort = in.choice("default_sort", SORTS);
    List<String> allowed = in.texts("allowed_providers");
    List<String> ignored = in.texts("ignored_providers");
    List<String> zdr = in.choices("zdr", ZDR_GROUPS);
    var guardrails =
        in.sections(
            "guardrails", (guardrail, i) -> Guardrail.ofFile(GuardrailReader.read(guardrail)));
    boolean ioLogging = in.flag("io_logging", false);
    var ids = new UniqueNames();
    List<AccountMember> members =
        in.sections("members", (member, i) -> AccountMember.read(member, ids));
    return new AccountSettings(
        model, sort, allowed, orEmpty(ignored), orEmpty(zdr), guardrails, ioLogging, members);
  }

  private static List<String> orEmpty(@Nullable List<String> list) {
    return list == null ? List.of() : list;
  }
}
