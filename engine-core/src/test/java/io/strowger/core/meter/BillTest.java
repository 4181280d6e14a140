package io.strowger.core.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A bill")
class BillTest {
  @Test
  @DisplayName(
      "of several turns keeps the upstream cost of each, whether the gateway or the customer paid"
          + " it")
  void upstreamCost() {
    var byok = new Bill(Usage.NONE, new Usd(5), new Usd(60), new Usd(30), true, new Usd(100));
    var credits = new Bill(Usage.NONE, new Usd(25), new Usd(10), new Usd(10));
    assertThat(byok.upstreamCost()).isEqualTo(new Usd(100));
    assertThat(credits.upstreamCost()).isEqualTo(new Usd(20));
    assertThat(byok.plus(credits).upstreamCost()).isEqualTo(new Usd(120));
    assertThat(credits.plus(byok).withFee(new Usd(7)).upstreamCost()).isEqualTo(new Usd(120));
    assertThat(credits.plus(byok).withoutCharge().upstreamCost()).isEqualTo(Usd.ZERO);
  }
}
