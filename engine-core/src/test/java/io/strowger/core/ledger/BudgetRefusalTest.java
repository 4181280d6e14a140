package io.strowger.core.ledger;

import static io.strowger.core.ledger.LedgerFixture.key;
import static io.strowger.core.ledger.LedgerFixture.lifetime;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.money.RequestBudget;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.Charge;
import io.strowger.tck.TestAmbient;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The refusal of a request that the budget does not cover")
class BudgetRefusalTest {
  private static final GatewayError PAYMENT_REQUIRED = GatewayError.of(ErrorCode.PAYMENT_REQUIRED);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final InMemoryCluster.Node node = new InMemoryCluster().startNode();

  @Test
  @DisplayName("is a 402 for a caller who has spent the whole budget")
  void spent() {
    try (var fixture = new LedgerFixture(node, ambient)) {
      Payer key = key(lifetime(1600));
      fixture.settle(fixture.granted(1590, key), 1590);
      assertThat(fixture.requestBudget(key).shortfall(PAYMENT_REQUIRED, null))
          .isEqualTo(PAYMENT_REQUIRED);
      assertThat(fixture.requestBudget(key()).shortfall(PAYMENT_REQUIRED, null))
          .isEqualTo(PAYMENT_REQUIRED);
    }
  }

  @Test
  @DisplayName("says how much money requests under way hold")
  void held() {
    try (var fixture = new LedgerFixture(node, ambient)) {
      Payer key = key(lifetime(1600));
      fixture.granted(1590, key);
      GatewayError error =
          Objects.requireNonNull(fixture.requestBudget(key).shortfall(PAYMENT_REQUIRED, null));
      assertThat(error.message()).endsWith("; $0.00000159 is held by requests under way");
      assertThat(error.retryAfterSeconds()).hasValue(5);
      var answer =
          (RequestBudget.HoldResult.Short)
              fixture.requestBudget(key).hold(Charge.credits(new Usd(2000)));
      assertThat(answer.error().message()).contains("held by requests under way");
      assertThat(answer.error().retryAfterSeconds()).as("more than the whole budget").isEmpty();
    }
  }

  @Test
  @DisplayName("of a key does not reveal what its workspace has left or holds")
  void heldByWorkspace() {
    try (var fixture = new LedgerFixture(node, ambient)) {
      Payer workspace = new Payer(Payer.Kind.WORKSPACE, "w", List.of(lifetime(1600)));
      fixture.granted(1590, workspace);
      GatewayError error =
          Objects.requireNonNull(
              fixture.requestBudget(workspace).shortfall(PAYMENT_REQUIRED, null));
      assertThat(error.code().status()).isEqualTo(403);
      assertThat(error.message()).isEqualTo("The lifetime budget of the workspace is exceeded");
      assertThat(error.metadata().has("budget")).isFalse();
      var answer =
          (RequestBudget.HoldResult.Short)
              fixture.requestBudget(workspace).hold(Charge.credits(new Usd(2000)));
      assertThat(answer.error().message()).doesNotContain("held");
    }
  }
}
