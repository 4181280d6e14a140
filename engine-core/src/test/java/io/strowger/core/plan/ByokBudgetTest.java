package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.at;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.perMillion;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.ByokKeyRef;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.store.Charge;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where the customer has a key, an attempt")
class ByokBudgetTest {
  /** A thousand tokens in and five hundred out cost $0.002. */
  static final Endpoint PLAIN = at("plain", "m").pricing(perMillion("1", "2")).build();

  static RoutingQuery.Builder asking(boolean always) {
    return ask("m")
        .maxPromptTokens(1000)
        .outputLimit(500)
        .byokKeys(List.of(new ByokKeyRef("k", "plain", false, 0, always, null)));
  }

  private static @Nullable Usd usd(@Nullable String dollars) {
    return dollars == null ? null : Usd.ofDollars(new BigDecimal(dollars));
  }

  /** The credentials that are tried: k, or shared. */
  private static List<String> tried(
      boolean always, @Nullable String credits, @Nullable String both) {
    RoutingQuery query = asking(always).budget(usd(credits)).budgetWithByok(usd(both)).build();
    return switch (new Planner(catalog(PLAIN)).plan(query)) {
      case RoutePlan.Attempts attempts ->
          attempts.candidates().stream().map(c -> c.byokKey() == null ? "shared" : "k").toList();
      case RoutePlan.NoRoute none -> {
        assertThat(none.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        yield List.of();
      }
    };
  }

  @Test
  @DisplayName("with it needs 5 % of its price in credits, and nothing else")
  void fee() {
    assertThat(tried(false, null, null)).containsExactly("k", "shared");
    assertThat(tried(false, "0.002", null)).containsExactly("k", "shared");
    assertThat(tried(false, "0.001999999", null)).containsExactly("k");
    assertThat(tried(false, "0.0001", null)).containsExactly("k");
    assertThat(tried(false, "0.000099999", null)).isEmpty();
  }

  @Test
  @DisplayName("with it needs 105 % where BYOK keys count, one without it the price")
  void both() {
    assertThat(tried(false, null, "0.002100001")).containsExactly("k", "shared");
    assertThat(tried(false, null, "0.002")).containsExactly("shared");
    assertThat(tried(false, null, "0.001999999")).isEmpty();
    assertThat(tried(false, "0.001", "0.002050000")).isEmpty();
    assertThat(tried(false, "0.001", "0.002100001")).containsExactly("k");
  }

  @Test
  @DisplayName("without it is none where the key is always to be used")
  void always() {
    assertThat(tried(true, "1", "0.002")).isEmpty();
    assertThat(tried(true, "0.0001", null)).containsExactly("k");
  }

  @Test
  @DisplayName("is held at what covers either way of paying, whatever a budget counts")
  void hold() {
    RoutingQuery query = asking(false).build();
    Charge own = HoldSize.of(new PlannedAttempt(PLAIN, 0, "k", false), query);
    Charge shared = HoldSize.of(PlannedAttempt.of(PLAIN), query);
    assertThat(own).isEqualTo(new Charge(new Usd(100_000), new Usd(2_000_000)));
    assertThat(shared).isEqualTo(Charge.credits(new Usd(2_000_000)));
    assertThat(own.max(shared)).isEqualTo(new Charge(new Usd(2_000_000), new Usd(100_000)));
    assertThat(shared.max(own)).isEqualTo(own.max(shared));
  }
}
