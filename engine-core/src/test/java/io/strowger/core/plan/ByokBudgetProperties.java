package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/**
 * Checks that the planner and the ledger agree: the ledger can hold money for every planned
 * attempt, for each payer.
 */
class ByokBudgetProperties {
  @Property
  void everyCandidateFitsTheBudgets(
      @ForAll @LongRange(max = 3_000_000) long credits,
      @ForAll @LongRange(max = 3_000_000) long creditsAndByok,
      @ForAll @LongRange(max = 2000) long maxPromptTokens,
      @ForAll boolean limited) {
    RoutingQuery query =
        ByokBudgetTest.queryWithByokKey(false)
            .maxPromptTokens(maxPromptTokens)
            .outputLimit(limited ? 500 : 0)
            .budget(new Usd(credits))
            .budgetWithByok(new Usd(creditsAndByok))
            .build();
    if (new Planner(catalog(ByokBudgetTest.PLAIN)).plan(query)
        instanceof RoutePlan.Attempts attempts) {
      Charge hold = Charge.ZERO;
      for (PlannedAttempt candidate : attempts.candidates()) {
        hold = hold.max(HoldSize.of(candidate, query));
      }
      assertThat(hold.budgetAmount(false).nanos()).isLessThanOrEqualTo(credits);
      assertThat(hold.budgetAmount(true).nanos()).isLessThanOrEqualTo(creditsAndByok);
    }
  }
}
