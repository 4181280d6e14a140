package io.strowger.core.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A bill")
class MeterTest {
  private static UnitPrice perMillion(String dollars) {
    return UnitPrice.ofDollars(new BigDecimal(dollars).movePointLeft(6));
  }

  private static final Pricing PRICING =
      Pricing.builder()
          .set(Price.PROMPT, perMillion("3"))
          .set(Price.COMPLETION, perMillion("15"))
          .set(Price.INPUT_CACHE_READ, perMillion("0.30"))
          .build();

  @Proves("resources.record.CO-1")
  @Test
  @DisplayName("CO-1: prices each token once, by its class")
  void cachedTokens() {
    var usage = Usage.builder().freshInput(21).cacheRead(10318).outputText(60).build();
    Bill bill = Meter.bill(usage, PRICING);
    assertThat(bill.total().dollars()).isEqualByComparingTo("0.0040584");
    assertThat(bill.prompt().nanos()).isEqualTo(3_158_400);
    assertThat(bill.completion().nanos()).isEqualTo(900_000);
  }

  @Test
  @DisplayName(
      "prices cache writes, reasoning and audio like plain tokens when they have no price of their"
          + " own")
  void fallbacks() {
    var usage =
        Usage.builder()
            .cacheWrite5m(1)
            .cacheWrite1h(1)
            .reasoning(1)
            .inputAudio(1)
            .outputAudio(1)
            .build();
    assertThat(Meter.bill(usage, PRICING).total().nanos()).isEqualTo(3000 * 3 + 15000 * 2);
  }

  @Test
  @DisplayName("prices every class at its own price when it has one")
  void everyClass() {
    var builder = Pricing.builder();
    long price = 1000;
    for (Price each : Price.values()) {
      builder.set(each, new UnitPrice(price));
      price *= 2;
    }
    var usage =
        Usage.builder()
            .freshInput(1)
            .outputText(1)
            .cacheRead(1)
            .cacheWrite5m(1)
            .cacheWrite1h(1)
            .reasoning(1)
            .images(1)
            .inputAudio(1)
            .outputAudio(1)
            .searches(1)
            .characters(1)
            .searchUnits(1)
            .seconds(1)
            .build();
    // every price counts once, the price per request included
    assertThat(Meter.bill(usage, builder.build()).total().nanos())
        .isEqualTo((1L << Price.values().length) - 1);
  }

  @Test
  @DisplayName("is summed in picodollars and rounded once, half even")
  void rounding() {
    var half = Pricing.builder().set(Price.PROMPT, new UnitPrice(500)).build();
    assertThat(Meter.bill(Usage.builder().freshInput(1).build(), half).total().nanos()).isZero();
    assertThat(Meter.bill(Usage.builder().freshInput(2).build(), half).total().nanos())
        .isEqualTo(1);
    assertThat(Meter.bill(Usage.builder().freshInput(3).build(), half).total().nanos())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("beyond the range of an amount is an error, not a wrapped number")
  void overflow() {
    var usage = Usage.builder().freshInput(Long.MAX_VALUE).build();
    assertThatThrownBy(() -> Meter.bill(usage, PRICING)).isInstanceOf(ArithmeticException.class);
  }

  @Proves({
    "resources.insurance.rule",
    "resources.insurance.ZC-1",
    "resources.insurance.ZC-2",
    "resources.insurance.ZC-3",
    "resources.insurance.ZC-4"
  })
  @Test
  @DisplayName(
      "ZC-1 to ZC-4: is waived for an answer without output and stop reason, and after an error")
  void insurance() {
    Usage none = Usage.builder().freshInput(10).build();
    Usage some = Usage.builder().freshInput(10).outputText(57).build();
    assertThat(Meter.isInsured(none, null)).isTrue();
    assertThat(Meter.isInsured(none, StopReason.END)).isFalse();
    assertThat(Meter.isInsured(some, StopReason.ERROR)).isTrue();
    assertThat(Meter.isInsured(some, null)).isFalse();
  }

  @Proves("resources.batch.price")
  @Test
  @DisplayName(
      "of a batch is half of the token prices, rounded once, and the full price of a search")
  void half() {
    Pricing pricing =
        Pricing.builder()
            .set(Price.PROMPT, new UnitPrice(1001))
            .set(Price.COMPLETION, new UnitPrice(3))
            .set(Price.WEB_SEARCH, UnitPrice.ofDollars(new java.math.BigDecimal("0.01")))
            .build();
    Usage usage = Usage.builder().freshInput(1000).outputText(1).searches(1).build();
    // (1,001,000 + 3) / 2 picodollars are 500.5015 nanodollars, which are rounded once
    assertThat(Meter.bill(usage, pricing, Meter.Share.HALF).total().nanos()).isEqualTo(10_000_501);
    assertThat(Meter.bill(usage, pricing, Meter.Share.WHOLE)).isEqualTo(Meter.bill(usage, pricing));
    Bill byok = Meter.byok(usage, pricing, Meter.Share.HALF);
    assertThat(byok.byokCost().nanos()).isEqualTo(10_000_501);
    assertThat(byok.total().nanos()).isEqualTo(500_025);
  }
}
