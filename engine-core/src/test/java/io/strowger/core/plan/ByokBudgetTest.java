package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.queryFor;
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

@DisplayName("An attempt, where the customer has a BYOK key,")
class ByokBudgetTest {
  /** An endpoint at which 1,000 prompt tokens and 500 output tokens cost $0.002. */
  static final Endpoint PLAIN = endpointBuilder("plain", "m").pricing(perMillion("1", "2")).build();

  static RoutingQuery.Builder queryWithByokKey(boolean always) {
    return queryFor("m")
        .maxPromptTokens(1000)
        .outputLimit(500)
        .byokKeys(List.of(new ByokKeyRef("k", "plain", false, 0, always, null)));
  }

  private static @Nullable Usd usd(@Nullable String dollars) {
    return dollars == null ? null : Usd.ofDollars(new BigDecimal(dollars));
  }

  /**
   * Returns the credentials in the order in which they are tried: "k" for the BYOK key, "shared"
   * for the gateway's.
   */
  private static List<String> triedCredentials(
      boolean always, @Nullable String credits, @Nullable String creditsAndByok) {
    RoutingQuery query =
        queryWithByokKey(always).budget(usd(credits)).budgetWithByok(usd(creditsAndByok)).build();
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
  @DisplayName("made with that key needs 5 % of its price in credits, and nothing else")
  void fee() {
    assertThat(triedCredentials(false, null, null)).containsExactly("k", "shared");
    assertThat(triedCredentials(false, "0.002", null)).containsExactly("k", "shared");
    assertThat(triedCredentials(false, "0.001999999", null)).containsExactly("k");
    assertThat(triedCredentials(false, "0.0001", null)).containsExactly("k");
    assertThat(triedCredentials(false, "0.000099999", null)).isEmpty();
  }

  @Test
  @DisplayName(
      "made with that key needs 105 % of its price where BYOK keys count, and without it the price")
  void both() {
    assertThat(triedCredentials(false, null, "0.002100001")).containsExactly("k", "shared");
    assertThat(triedCredentials(false, null, "0.002")).containsExactly("shared");
    assertThat(triedCredentials(false, null, "0.001999999")).isEmpty();
    assertThat(triedCredentials(false, "0.001", "0.002050000")).isEmpty();
    assertThat(triedCredentials(false, "0.001", "0.002100001")).containsExactly("k");
  }

  @Test
  @DisplayName("without that key is not planned where the key is always to be used")
  void always() {
    assertThat(triedCredentials(true, "1", "0.002")).isEmpty();
    assertThat(triedCredentials(true, "0.0001", null)).containsExactly("k");
  }

  @Test
  @DisplayName(
      "is held for with an amount that covers both ways of paying, whatever a budget counts")
  void hold() {
    RoutingQuery query = queryWithByokKey(false).build();
    Charge byok = HoldSize.of(new PlannedAttempt(PLAIN, 0, "k", false), query);
    Charge shared = HoldSize.of(PlannedAttempt.of(PLAIN), query);
    assertThat(byok).isEqualTo(new Charge(new Usd(100_000), new Usd(2_000_000)));
    assertThat(shared).isEqualTo(Charge.credits(new Usd(2_000_000)));
    assertThat(byok.max(shared)).isEqualTo(new Charge(new Usd(2_000_000), new Usd(100_000)));
    assertThat(shared.max(byok)).isEqualTo(byok.max(shared));
  }
}
