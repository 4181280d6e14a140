package io.strowger.spi.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Money")
class MoneyTest {
  private static Usd usd(String dollars) {
    return Usd.ofDollars(new BigDecimal(dollars));
  }

  @Test
  @DisplayName("is rounded from picodollars half even, above and below zero")
  void halfEven() {
    assertThat(Usd.ofPicos(499).nanos()).isZero();
    assertThat(Usd.ofPicos(500).nanos()).isZero();
    assertThat(Usd.ofPicos(501).nanos()).isEqualTo(1);
    assertThat(Usd.ofPicos(1499).nanos()).isEqualTo(1);
    assertThat(Usd.ofPicos(1500).nanos()).isEqualTo(2);
    assertThat(Usd.ofPicos(2500).nanos()).isEqualTo(2);
    assertThat(Usd.ofPicos(-500).nanos()).isZero();
    assertThat(Usd.ofPicos(-501).nanos()).isEqualTo(-1);
    assertThat(Usd.ofPicos(-1500).nanos()).isEqualTo(-2);
    assertThat(Usd.ofPicos(Long.MAX_VALUE).nanos()).isEqualTo(9_223_372_036_854_776L);
  }

  @Test
  @DisplayName("throws where it would overflow, instead of wrapping")
  void overflow() {
    var max = new Usd(Long.MAX_VALUE);
    assertThatThrownBy(() -> max.plus(new Usd(1))).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> new Usd(Long.MIN_VALUE).minus(new Usd(1)))
        .isInstanceOf(ArithmeticException.class);
    assertThat(max.plus(Usd.ZERO)).isEqualTo(max);
    assertThatThrownBy(() -> usd("9223372036.854775808")).isInstanceOf(ArithmeticException.class);
    assertThat(usd("9223372036.854775807")).isEqualTo(max);
  }

  @Test
  @DisplayName("has nine decimals as an amount and twelve as a price; more are refused")
  void decimals() {
    assertThat(usd("0.000000001").nanos()).isEqualTo(1);
    assertThatThrownBy(() -> usd("0.0000000001")).isInstanceOf(ArithmeticException.class);
    assertThat(UnitPrice.ofDollars(new BigDecimal("0.000000000001")).picos()).isEqualTo(1);
    assertThatThrownBy(() -> UnitPrice.ofDollars(new BigDecimal("0.0000000000001")))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  @DisplayName("is written in plain digits, whatever its decimals")
  void written() {
    long[] edges = {0, 1, -1, 10, 999_999_999, 1_000_000_000, -1_000_000_000, 1_500_000_000};
    LongStream random = new Random(7).longs(10_000).map(bits -> bits >> (bits & 63));
    LongStream.concat(
            LongStream.concat(LongStream.of(edges), random),
            LongStream.of(Long.MAX_VALUE, Long.MIN_VALUE))
        .forEach(
            nanos -> {
              BigDecimal expected = BigDecimal.valueOf(nanos, 9).stripTrailingZeros();
              assertThat(new Usd(nanos).json().spelling()).isEqualTo(expected.toPlainString());
              assertThat(new Usd(nanos).dollars()).isEqualByComparingTo(expected);
            });
    assertThat(new Usd(12_300_000).json().toString()).isEqualTo("0.0123");
  }

  @Test
  @DisplayName("that is an imported price is rounded to twelve decimals, half even")
  void imported() {
    assertThat(UnitPrice.ofDollarsRounded(new BigDecimal("0.0000000000015")).picos()).isEqualTo(2);
    assertThat(UnitPrice.ofDollarsRounded(new BigDecimal("0.0000000000025")).picos()).isEqualTo(2);
    assertThat(UnitPrice.ofDollarsRounded(new BigDecimal("0.00000000000251")).picos()).isEqualTo(3);
  }

  @Test
  @DisplayName("that is a price may be quoted per million tokens, and is never rounded up")
  void perMillion() {
    assertThat(UnitPrice.ofDollarsPerMillion(new BigDecimal("2.5")).picos()).isEqualTo(2_500_000);
    assertThat(UnitPrice.ofDollarsPerMillion(new BigDecimal("0.0000019")).picos()).isOne();
    assertThat(UnitPrice.ofDollarsPerMillion(new BigDecimal("1e-9999"))).isEqualTo(UnitPrice.FREE);
    assertThat(UnitPrice.ofDollarsPerMillion(new BigDecimal("1e9999")))
        .isEqualTo(UnitPrice.HIGHEST);
    assertThatThrownBy(() -> UnitPrice.ofDollarsPerMillion(new BigDecimal("-0.1")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new UnitPrice(2_500_000).dollarsPerMillion()).isEqualTo("2.5");
    assertThat(new UnitPrice(2).isAtMost(new UnitPrice(2))).isTrue();
    assertThat(new UnitPrice(3).isAtMost(new UnitPrice(2))).isFalse();
  }

  @Test
  @DisplayName("is shown in plain digits without trailing zeros")
  void shown() {
    assertThat(usd("10")).hasToString("$10");
    assertThat(usd("100").dollars()).isEqualTo(new BigDecimal("100"));
    assertThat(usd("0.000100")).hasToString("$0.0001");
    assertThat(Usd.ZERO).hasToString("$0");
    assertThat(UnitPrice.ofDollars(new BigDecimal("0.0000025"))).hasToString("$0.0000025");
  }

  @Test
  @DisplayName("is never negative as a unit price, and is compared by amount")
  void order() {
    assertThatThrownBy(() -> new UnitPrice(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(new UnitPrice(0)).isEqualTo(UnitPrice.FREE).isLessThan(new UnitPrice(1));
    assertThat(usd("2").isMoreThan(usd("1"))).isTrue();
    assertThat(usd("1").isMoreThan(usd("1"))).isFalse();
    assertThat(usd("-1")).isLessThan(Usd.ZERO);
  }
}
