package io.strowger.core.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A bill, to the nanodollar,")
class GoldenBillsTest {
  /** Prices in dollars per million tokens, and per request, image and search. */
  private static final Pricing PRICING =
      Pricing.builder()
          .set(Price.PROMPT, perMillion("3"))
          .set(Price.COMPLETION, perMillion("15"))
          .set(Price.INPUT_CACHE_READ, perMillion("0.30"))
          .set(Price.INPUT_CACHE_WRITE, perMillion("3.75"))
          .set(Price.INPUT_CACHE_WRITE_1H, perMillion("6"))
          .set(Price.INTERNAL_REASONING, perMillion("20"))
          .set(Price.INPUT_AUDIO, perMillion("40"))
          .set(Price.OUTPUT_AUDIO, perMillion("80"))
          .set(Price.REQUEST, UnitPrice.ofDollars(new BigDecimal("0.001")))
          .set(Price.IMAGE, UnitPrice.ofDollars(new BigDecimal("0.04")))
          .set(Price.WEB_SEARCH, UnitPrice.ofDollars(new BigDecimal("0.007")))
          .build();

  private static UnitPrice perMillion(String dollars) {
    return UnitPrice.ofDollars(new BigDecimal(dollars).movePointLeft(6));
  }

  /** Returns the usage with these counts, such as {@code fresh=21 read=10318}. */
  private static Usage usage(String counts) {
    var usage = Usage.builder();
    for (String count : counts.split(" ")) {
      int equals = count.indexOf('=');
      long number = Long.parseLong(count.substring(equals + 1));
      Consumer<Long> setter =
          switch (count.substring(0, equals)) {
            case "fresh" -> usage::freshInput;
            case "read" -> usage::cacheRead;
            case "write5m" -> usage::cacheWrite5m;
            case "write1h" -> usage::cacheWrite1h;
            case "text" -> usage::outputText;
            case "reasoning" -> usage::reasoning;
            case "audioIn" -> usage::inputAudio;
            case "audioOut" -> usage::outputAudio;
            case "images" -> usage::images;
            case "searches" -> usage::searches;
            default -> throw new IllegalArgumentException(count);
          };
      setter.accept(number);
    }
    return usage.build();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource({
    "plain, fresh=1000 text=100, 0.0055",
    "cached inside the prompt, fresh=21 read=10318 text=60, 0.0050584",
    "cache written for 5 minutes, fresh=10 write5m=1000 text=1, 0.004795",
    "cache written for an hour, fresh=10 write1h=1000 text=1, 0.007045",
    "read and written both ways, fresh=7 read=100 write5m=200 write1h=300 text=9, 0.003736",
    "reasoning apart from text, fresh=100 text=40 reasoning=60, 0.0031",
    "sound in and out, fresh=10 audioIn=500 text=3 audioOut=250, 0.041075",
    "images, fresh=10 text=1 images=2, 0.081045",
    "searches, fresh=10 text=1 searches=3, 0.022045",
    "nothing but the request, fresh=0, 0.001",
  })
  @DisplayName("is exact for every class of usage")
  void table(String name, String counts, String dollars) {
    assertThat(Meter.bill(usage(counts), PRICING).total().dollars())
        .as(name)
        .isEqualByComparingTo(dollars);
  }

  @Proves("routing.byok.fee")
  @ParameterizedTest(name = "{0} costs {1} and its owner {2}")
  @CsvSource({
    "fresh=1000 text=100, 0.000275, 0.0055",
    "fresh=21 read=10318 text=60, 0.00025292, 0.0050584",
    "fresh=10 text=1 searches=3, 0.00110225, 0.022045",
  })
  @DisplayName("with a BYOK key is 5 % of the list price")
  void byokKey(String counts, String fee, String list) {
    Bill bill = Meter.byok(usage(counts), PRICING);
    assertThat(bill.total().dollars()).isEqualByComparingTo(fee);
    assertThat(bill.byokCost().dollars()).isEqualByComparingTo(list);
    assertThat(bill.charge().budgetAmount(true)).isEqualTo(bill.total().plus(bill.byokCost()));
    assertThat(bill.charge().budgetAmount(false)).isEqualTo(bill.total());
  }

  @Proves({"plugins.common.unpaid-failure", "resources.insurance.rule", "resources.insurance.ZC-5"})
  @Test
  @DisplayName("ZC-5: that the insurance waives is for the searches only")
  void searched() {
    Usage used = usage("fresh=1000 searches=1");
    assertThat(Meter.isInsured(used, null)).isTrue();
    assertThat(Meter.waived(used, PRICING, false).total().dollars()).isEqualByComparingTo("0.007");
    Bill byok = Meter.waived(used, PRICING, true);
    assertThat(byok.total().dollars()).isEqualByComparingTo("0.00035");
    assertThat(byok.byokCost().dollars()).isEqualByComparingTo("0.007");
    assertThat(Meter.isInsured(usage("fresh=1 text=5"), StopReason.ERROR)).isTrue();
    assertThat(Meter.waived(usage("fresh=1 text=5"), PRICING, false).total().nanos()).isZero();
  }
}
