package io.strowger.spi.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The prices of an endpoint")
class PricingTest {
  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  private static Pricing.Builder base() {
    return Pricing.builder()
        .set(Price.PROMPT, new UnitPrice(100))
        .set(Price.COMPLETION, new UnitPrice(400));
  }

  private static Pricing.Override override(
      @Nullable Long above, @Nullable Integer start, @Nullable Integer end, long prompt) {
    return new Pricing.Override(above, start, end, Map.of(Price.PROMPT, new UnitPrice(prompt)));
  }

  private static long promptPrice(Pricing pricing, long tokens, String at) {
    return pricing.effective(tokens, Instant.parse(at)).picos(Price.PROMPT);
  }

  @Test
  @DisplayName("that are not set equal a related price, or are free")
  void fallbacks() {
    Pricing plain = base().build();
    assertThat(plain.picos(Price.INPUT_CACHE_READ)).isEqualTo(100);
    assertThat(plain.picos(Price.INPUT_CACHE_WRITE)).isEqualTo(100);
    assertThat(plain.picos(Price.INPUT_CACHE_WRITE_1H)).isEqualTo(100);
    assertThat(plain.picos(Price.INTERNAL_REASONING)).isEqualTo(400);
    assertThat(plain.picos(Price.REQUEST)).isZero();
    assertThat(plain.picos(Price.INPUT_AUDIO)).isZero();

    Pricing writes = base().set(Price.INPUT_CACHE_WRITE, new UnitPrice(125)).build();
    assertThat(writes.picos(Price.INPUT_CACHE_WRITE_1H)).isEqualTo(125);
    assertThat(writes.picos(Price.INPUT_CACHE_READ)).isEqualTo(100);
  }

  @Test
  @DisplayName("of long prompts hold for strictly more tokens than the bound (MP-4)")
  void strictlyMore() {
    Pricing pricing = base().override(override(200_000L, null, null, 200)).build();
    assertThat(promptPrice(pricing, 199_999, "2026-01-05T12:00:00Z")).isEqualTo(100);
    assertThat(promptPrice(pricing, 200_000, "2026-01-05T12:00:00Z")).isEqualTo(100);
    assertThat(promptPrice(pricing, 200_001, "2026-01-05T12:00:00Z")).isEqualTo(200);
    assertThat(pricing.effective(200_000, NOON)).isSameAs(pricing);
  }

  @Test
  @DisplayName("of a daily window hold from its start until just before its end")
  void window() {
    Pricing pricing = base().override(override(null, 930, 1700, 50)).build();
    assertThat(promptPrice(pricing, 1, "2026-01-05T09:29:59.999Z")).isEqualTo(100);
    assertThat(promptPrice(pricing, 1, "2026-01-05T09:30:00Z")).isEqualTo(50);
    assertThat(promptPrice(pricing, 1, "2026-01-05T16:59:59.999Z")).isEqualTo(50);
    assertThat(promptPrice(pricing, 1, "2026-01-05T17:00:00Z")).isEqualTo(100);
  }

  @Test
  @DisplayName("of a window that wraps midnight hold on both sides of it")
  void midnight() {
    Pricing pricing = base().override(override(null, 2200, 600, 50)).build();
    assertThat(promptPrice(pricing, 1, "2026-01-05T21:59:59Z")).isEqualTo(100);
    assertThat(promptPrice(pricing, 1, "2026-01-05T22:00:00Z")).isEqualTo(50);
    assertThat(promptPrice(pricing, 1, "2026-01-06T00:00:00Z")).isEqualTo(50);
    assertThat(promptPrice(pricing, 1, "2026-01-06T05:59:59Z")).isEqualTo(50);
    assertThat(promptPrice(pricing, 1, "2026-01-06T06:00:00Z")).isEqualTo(100);
  }

  @Test
  @DisplayName("are those of the last override that applies, price by price")
  void laterWins() {
    var dearOutput =
        new Pricing.Override(10L, null, null, Map.of(Price.COMPLETION, new UnitPrice(900)));
    Pricing pricing =
        base()
            .override(override(10L, null, null, 200))
            .override(override(20L, null, null, 300))
            .override(dearOutput)
            .build();
    assertThat(pricing.effective(15, NOON).picos(Price.PROMPT)).isEqualTo(200);
    assertThat(pricing.effective(25, NOON).picos(Price.PROMPT)).isEqualTo(300);
    assertThat(pricing.effective(25, NOON).picos(Price.COMPLETION)).isEqualTo(900);
  }

  @Test
  @DisplayName("that equal a related price follow its override, too, unless they are set")
  void derivedFromOverride() {
    var raised = override(10L, null, null, 200);
    Pricing derived = base().override(raised).build().effective(11, NOON);
    assertThat(derived.picos(Price.INPUT_CACHE_READ)).isEqualTo(200);
    assertThat(derived.picos(Price.INPUT_CACHE_WRITE_1H)).isEqualTo(200);

    Pricing given = base().set(Price.INPUT_CACHE_READ, new UnitPrice(10)).override(raised).build();
    assertThat(given.effective(11, NOON).picos(Price.INPUT_CACHE_READ)).isEqualTo(10);
  }

  @Test
  @DisplayName("have a maximum that no class of tokens exceeds")
  void dearest() {
    Pricing pricing =
        base()
            .set(Price.INPUT_CACHE_WRITE_1H, new UnitPrice(250))
            .override(override(10L, null, null, 300))
            .build();
    assertThat(pricing.highestInputPicos(10, NOON)).isEqualTo(250);
    assertThat(pricing.highestInputPicos(11, NOON)).isEqualTo(300);
    assertThat(pricing.highestPicos(Price.INPUT_CACHE_READ, 11, NOON)).isEqualTo(300);
    assertThat(pricing.highestPicos(Price.INPUT_CACHE_WRITE_1H, 11, NOON)).isEqualTo(250);
    assertThat(pricing.highestPicos(Price.REQUEST, 11, NOON)).isZero();
    assertThat(pricing.highestOutputPicos(11, NOON)).isEqualTo(400);
  }

  @Test
  @DisplayName("refuse a window with only one end, and accept an override without prices")
  void windows() {
    assertThatThrownBy(() -> override(null, 900, null, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new Pricing.Override(1L, null, null, Map.of()).prices()).isEmpty();
  }

  @Test
  @DisplayName("are equal when all of them are")
  void equality() {
    assertThat(base().build()).isEqualTo(base().build()).hasSameHashCodeAs(base().build());
    assertThat(base().build()).isNotEqualTo(Pricing.FREE);
    assertThat(base().override(override(1L, null, null, 1)).build()).isNotEqualTo(base().build());
  }
}
