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

  private final CombinedRules everybody;
  private final Function<CallerRestrictions, CombinedRules> putting;
  private final Cache<CallerRestrictions, CombinedRules> kept =
      Caffeine.newBuilder().weakKeys().maximumSize(MAX_CALLERS).executor(Runnable::run).build();

  private record CombinedRules(AccountRules rules, @Nullable ContentFilter filter) {}

  private CallerRules(
      CombinedRules everybody, Function<CallerRestrictions, CombinedRules> putting) {
    this.everybody = everybody;
    this.putting = putting;
  }

  /** Returns the rules of these settings, combined with each caller's restrictions. */
  public static CallerRules of(AccountSettings settings, Catalog catalog) {
    return new CallerRules(
        together(settings, catalog, CallerRestrictions.NONE),
        bounds -> together(settings, catalog, bounds));
  }

  /** Returns rules that are the same for every caller, without filters. */
  public static CallerRules same(AccountRules rules) {
    var all = new CombinedRules(rules, null);
    return new CallerRules(all, bounds -> all);
  }

  private static CombinedRules together(
      AccountSettings settings, Catalog catalog, CallerRestrictions bounds) {
    List<Guardrail> all = new ArrayList<>(settings.guardrails());
    all.addAll(bounds.guardrails());
    return new CombinedRules(
        settings.rules(catalog, all, bounds.defaultSort()),
        ContentFilter.of(all.stream().map(Guardrail::body).toList()));
  }

  private CombinedRules together(@Nullable Caller caller) {
    CallerRestrictions bounds = caller == null ? CallerRestrictions.NONE : caller.restrictions();
    return bounds.isPlain() ? everybody : kept.get(bounds, putting);
  }

  /**
   * Returns the rules that apply to a caller.
   *
   * @param caller null for an anonymous caller
   */
  public AccountRules of(@Nullable Caller caller) {
    return together(caller).rules();
  }

  /** Returns the content filter for a caller; null when there is none. */
  @Nullable ContentFilter filter(Caller caller) {
    return together(caller).filter();
  }
}
