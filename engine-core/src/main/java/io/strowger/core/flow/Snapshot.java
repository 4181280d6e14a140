package io.strowger.core.flow;

import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.Upstreams;
import io.strowger.core.plan.Planner;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.routing.AccountRules;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything a request needs of the configuration, as one immutable whole. A request takes it once
 * and keeps it; a change swaps the whole.
 *
 * @param catalog what there is to route to
 * @param planner decides over that catalog
 * @param upstreams who speaks to its providers
 * @param deadlines how long things may take
 * @param account rules of the account
 * @param defaultModel used when a request names none; null: it must
 * @param defaultOutputTokens reserved for when a request has no limit
 * @param credits what the account may spend in all; null: no limit
 */
public record Snapshot(
    Catalog catalog,
    Planner planner,
    Upstreams upstreams,
    Deadlines deadlines,
    AccountRules account,
    @Nullable String defaultModel,
    int defaultOutputTokens,
    @Nullable Usd credits) {
  public Snapshot {
    Objects.requireNonNull(catalog, "catalog");
    Objects.requireNonNull(planner, "planner");
    Objects.requireNonNull(upstreams, "upstreams");
    Objects.requireNonNull(deadlines, "deadlines");
    Objects.requireNonNull(account, "account");
  }
}
