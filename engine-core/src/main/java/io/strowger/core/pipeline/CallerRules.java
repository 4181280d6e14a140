package io.strowger.core.pipeline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.CallerRestrictions;
import io.strowger.core.config.AccountSettings;
import io.strowger.core.config.Guardrail;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Catalog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The account rules and content filters of each caller over one catalog. They are combined once for
 * each set of caller restrictions, not for every request. Safe on any thread.
 */
public final class CallerRules {
  private static final int MAX_CALLERS = 100_000;

  private final CombinedRules unrestricted;
  private final Function<CallerRestrictions, CombinedRules> combiner;
  private final Cache<CallerRestrictions, CombinedRules> cache =
      Caffeine.newBuilder().weakKeys().maximumSize(MAX_CALLERS).executor(Runnable::run).build();

  private record CombinedRules(AccountRules rules, @Nullable ContentFilter filter) {}

  private CallerRules(
      CombinedRules unrestricted, Function<CallerRestrictions, CombinedRules> combiner) {
    this.unrestricted = unrestricted;
    this.combiner = combiner;
  }

  /** Returns the rules of these settings, combined with each caller's restrictions. */
  public static CallerRules of(AccountSettings settings, Catalog catalog) {
    return new CallerRules(
        combinedRules(settings, catalog, CallerRestrictions.NONE),
        restrictions -> combinedRules(settings, catalog, restrictions));
  }

  /** Returns rules that are the same for every caller, without filters. */
  public static CallerRules same(AccountRules rules) {
    var combined = new CombinedRules(rules, null);
    return new CallerRules(combined, restrictions -> combined);
  }

  private static CombinedRules combinedRules(
      AccountSettings settings, Catalog catalog, CallerRestrictions restrictions) {
    List<Guardrail> guardrails = new ArrayList<>(settings.guardrails());
    guardrails.addAll(restrictions.guardrails());
    return new CombinedRules(
        settings.rules(catalog, guardrails, restrictions.defaultSort()),
        ContentFilter.of(guardrails.stream().map(Guardrail::body).toList()));
  }

  private CombinedRules combinedRules(@Nullable Caller caller) {
    CallerRestrictions restrictions =
        caller == null ? CallerRestrictions.NONE : caller.restrictions();
    return restrictions.hasNoOwnRules() ? unrestricted : cache.get(restrictions, combiner);
  }

  /**
   * Returns the rules that apply to a caller.
   *
   * @param caller null for an anonymous caller
   */
  public AccountRules of(@Nullable Caller caller) {
    return combinedRules(caller).rules();
  }

  /** Returns the content filter for a caller; null when there is none. */
  @Nullable ContentFilter filter(Caller caller) {
    return combinedRules(caller).filter();
  }
}
