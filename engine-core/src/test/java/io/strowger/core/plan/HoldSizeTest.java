package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.plan.HoldSize.OutputCap;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.SpeechRequirements;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.store.Charge;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("In a decision,")
class HoldSizeTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  /** An endpoint at $1 per million prompt tokens and $2 per million output tokens. */
  private static final Endpoint PLAIN =
      endpointBuilder("plain", "m").pricing(perMillion("1", "2")).build();

  private static Usd dollars(String amount) {
    return Usd.ofDollars(new BigDecimal(amount));
  }

  private static Endpoint priced(Pricing.Builder pricing) {
    return endpointBuilder("priced", "m").pricing(pricing.build()).build();
  }

  @Nested
  @DisplayName("the size of a hold")
  class Size {
    private static Charge speechHold(Pricing.Builder pricing, long characters) {
      Endpoint voice = priced(pricing).toBuilder().kind(Endpoint.Kind.SPEECH).build();
      RoutingQuery query =
          queryFor("m")
              .kind(Endpoint.Kind.SPEECH)
              .maxPromptTokens(1000)
              .speech(new SpeechRequirements(characters, false, "mp3"))
              .build();
      return HoldSize.of(PlannedAttempt.of(voice), query);
    }

    @Test
    @DisplayName(
        "of speech is the price of its characters, and of audio only where audio has a price")
    void characters() {
      UnitPrice each = UnitPrice.ofDollars(new BigDecimal("0.000015"));
      assertThat(speechHold(Pricing.builder().set(Price.CHARACTERS, each), 200))
          .isEqualTo(Charge.credits(dollars("0.003")));
      assertThat(
              speechHold(
                  Pricing.builder()
                      .set(Price.CHARACTERS, each)
                      .set(Price.OUTPUT_AUDIO, TestPlans.dollarsPerMillion("10")),
                  0))
          .isEqualTo(Charge.credits(dollars("0.16384")));
      assertThat(
              speechHold(Pricing.builder().set(Price.CHARACTERS, each), Long.MAX_VALUE).credits())
          .isEqualTo(new Usd(Long.MAX_VALUE));
    }

    @Test
    @DisplayName(
        "is the sum of the largest prompt at the input price, the output at the output price, and"
            + " the request price")
    void sum() {
      Endpoint endpoint =
          priced(
              Pricing.builder()
                  .set(Price.PROMPT, TestPlans.dollarsPerMillion("1"))
                  .set(Price.COMPLETION, TestPlans.dollarsPerMillion("2"))
                  .set(Price.REQUEST, UnitPrice.ofDollars(new BigDecimal("0.01"))));
      assertThat(HoldSize.of(endpoint, 1000, 500, NOON)).isEqualTo(dollars("0.012"));
      assertThat(HoldSize.of(endpoint, 0, 0, NOON)).isEqualTo(dollars("0.01"));
    }

    @Test
    @DisplayName("takes the most expensive class that a token can belong to")
    void dearestClass() {
      Endpoint endpoint =
          priced(
              Pricing.builder()
                  .set(Price.PROMPT, TestPlans.dollarsPerMillion("1"))
                  .set(Price.INPUT_CACHE_WRITE, TestPlans.dollarsPerMillion("1.25"))
                  .set(Price.COMPLETION, TestPlans.dollarsPerMillion("2"))
                  .set(Price.INTERNAL_REASONING, TestPlans.dollarsPerMillion("3")));
      assertThat(HoldSize.of(endpoint, 1000, 1000, NOON)).isEqualTo(dollars("0.00425"));
    }

    @Test
    @DisplayName("applies a price override only when the prompt may be longer than its threshold")
    void override() {
      Endpoint endpoint =
          priced(
              Pricing.builder()
                  .set(Price.PROMPT, TestPlans.dollarsPerMillion("1"))
                  .override(
                      new Pricing.Override(
                          100L,
                          null,
                          null,
                          Map.of(
                              Price.PROMPT,
                              TestPlans.dollarsPerMillion("2"),
                              Price.REQUEST,
                              UnitPrice.ofDollars(new BigDecimal("1"))))));
      assertThat(HoldSize.of(endpoint, 100, 0, NOON)).isEqualTo(dollars("0.0001"));
      assertThat(HoldSize.of(endpoint, 101, 0, NOON)).isEqualTo(dollars("1.000202"));
    }

    @Test
    @DisplayName("is rounded up to a nanodollar, once")
    void roundedUp() {
      Endpoint endpoint = priced(Pricing.builder().set(Price.PROMPT, new UnitPrice(1)));
      assertThat(HoldSize.of(endpoint, 0, 0, NOON)).isEqualTo(new Usd(0));
      assertThat(HoldSize.of(endpoint, 1, 0, NOON)).isEqualTo(new Usd(1));
      assertThat(HoldSize.of(endpoint, 1000, 0, NOON)).isEqualTo(new Usd(1));
      assertThat(HoldSize.of(endpoint, 1001, 0, NOON)).isEqualTo(new Usd(2));
    }

    @Test
    @DisplayName("beyond the range of an amount is the largest amount, which no budget covers")
    void overflow() {
      Endpoint endpoint =
          priced(Pricing.builder().set(Price.PROMPT, new UnitPrice(Long.MAX_VALUE / 4)));
      assertThat(HoldSize.of(endpoint, 4, 0, NOON).nanos()).isLessThan(Long.MAX_VALUE / 999);
      for (long ceiling : new long[] {5, 1L << 40, Long.MAX_VALUE}) {
        assertThat(HoldSize.of(endpoint, ceiling, 1, NOON)).isEqualTo(new Usd(Long.MAX_VALUE));
        var query = queryFor("m").maxPromptTokens(ceiling).budget(dollars("9000000000")).build();
        assertThat(HoldSize.fits(PlannedAttempt.of(endpoint), query)).isFalse();
        assertThat(HoldSize.affordableTokens(PlannedAttempt.of(endpoint), query)).isEqualTo(-1);
      }
    }
  }

  @Nested
  @DisplayName("the output cap")
  class Cap {
    private OutputCap cap(Endpoint endpoint, RoutingQuery.Builder query) {
      return HoldSize.outputCap(PlannedAttempt.of(endpoint), query.build());
    }

    @Test
    @DisplayName("is the caller's limit, unchanged")
    void explicit() {
      assertThat(cap(PLAIN, queryFor("m").outputLimit(7).budget(Usd.ZERO)))
          .isEqualTo(new OutputCap(7, false));
    }

    @Test
    @DisplayName(
        "is without a caller's limit that of the endpoint, or the default where that is unknown")
    void whole() {
      Endpoint withLimit = endpointBuilder("most", "m").maxOutputTokens(100).build();
      assertThat(cap(withLimit, queryFor("m").defaultOutputTokens(99)))
          .isEqualTo(new OutputCap(100, false));
      assertThat(cap(withLimit, queryFor("m").defaultOutputTokens(101)))
          .isEqualTo(new OutputCap(100, false));
      assertThat(cap(PLAIN, queryFor("m").defaultOutputTokens(101)))
          .isEqualTo(new OutputCap(101, false));
    }

    @Test
    @DisplayName("is what the budget affords when that is less, and is marked as such")
    void byBudget() {
      var query = queryFor("m").maxPromptTokens(1000).defaultOutputTokens(100);
      assertThat(cap(PLAIN, query.budget(dollars("0.0012")))).isEqualTo(new OutputCap(100, false));
      assertThat(cap(PLAIN, query.budget(dollars("0.001199999"))))
          .isEqualTo(new OutputCap(99, true));
      assertThat(cap(PLAIN, query.budget(dollars("0.0009")))).isEqualTo(new OutputCap(0, true));
    }

    private int sentLimit(Endpoint endpoint, RoutingQuery.Builder query) {
      return cap(endpoint, query).limitToSend(endpoint, query.build());
    }

    @Test
    @DisplayName("is sent upstream only when it comes from the caller or the budget")
    void sent() {
      Endpoint withLimit = endpointBuilder("most", "m").maxOutputTokens(100).build();
      var query = queryFor("m").maxPromptTokens(1000).defaultOutputTokens(100);
      assertThat(sentLimit(withLimit, query)).isZero();
      assertThat(sentLimit(PLAIN, query)).isZero();
      query.budget(dollars("5"));
      assertThat(sentLimit(withLimit, query)).isZero();
      assertThat(sentLimit(PLAIN, query)).as("the endpoint's limit is unknown").isEqualTo(100);
      query.budget(dollars("0.001199999"));
      assertThat(sentLimit(PLAIN, query)).isEqualTo(99);
      query.outputLimit(7);
      assertThat(sentLimit(PLAIN, query)).isEqualTo(7);
    }

    @Test
    @DisplayName("makes the attempt fit the budget")
    void fits() {
      var query = queryFor("m").maxPromptTokens(1000).budget(dollars("0.0011")).build();
      assertThat(HoldSize.of(PlannedAttempt.of(PLAIN), query))
          .isEqualTo(Charge.credits(dollars("0.0011")));
    }

    @Test
    @DisplayName("must be at least sixteen tokens, or the caller's own limit, for an attempt")
    void least() {
      var query = queryFor("m").maxPromptTokens(1000);
      assertThat(HoldSize.minCharge(PlannedAttempt.of(PLAIN), query.build()))
          .isEqualTo(Charge.credits(dollars("0.001032")));
      assertThat(HoldSize.minCharge(PlannedAttempt.of(PLAIN), query.batch(true).build()))
          .isEqualTo(Charge.credits(dollars("0.000516")));
      assertThat(HoldSize.minCharge(PlannedAttempt.of(PLAIN), query.outputLimit(500).build()))
          .isEqualTo(Charge.credits(dollars("0.001")));
    }

    @Test
    @DisplayName("uses the minimum of two charges, which is above neither in any budget")
    void min() {
      var fee = new Charge(dollars("0.01"), dollars("0.2"));
      Charge whole = Charge.credits(dollars("0.1"));
      var both = new Charge(dollars("0.01"), dollars("0.09"));
      assertThat(fee.min(whole)).isEqualTo(both).isEqualTo(whole.min(fee));
      assertThat(fee.min(Charge.ZERO)).isEqualTo(Charge.ZERO);
    }
  }

  @Test
  @DisplayName(
      "an upstream's own searches are held for and count in the budget when they are requested")
  void searches() {
    Endpoint endpoint =
        priced(
            Pricing.builder()
                .set(Price.COMPLETION, TestPlans.dollarsPerMillion("10"))
                .set(Price.WEB_SEARCH, UnitPrice.ofDollars(new BigDecimal("0.01"))));
    var query = queryFor("m").defaultOutputTokens(100);
    assertThat(HoldSize.of(PlannedAttempt.of(endpoint), query.build()))
        .isEqualTo(Charge.credits(dollars("0.001")));
    query.maxSearches(5);
    assertThat(HoldSize.of(PlannedAttempt.of(endpoint), query.build()))
        .isEqualTo(Charge.credits(dollars("0.051")));
    assertThat(
            HoldSize.outputCap(
                PlannedAttempt.of(endpoint), query.budget(dollars("0.0505")).build()))
        .isEqualTo(new OutputCap(50, true));
    assertThat(HoldSize.fits(PlannedAttempt.of(endpoint), query.budget(dollars("0.05")).build()))
        .isFalse();
  }

  @Nested
  @DisplayName("the budget rule")
  class Budget {
    private static final Endpoint EXPENSIVE =
        endpointBuilder("dear", "m").pricing(perMillion("10", "20")).build();

    @Test
    @DisplayName("drops nothing without a budget")
    void noBudget() {
      assertThat(tried(catalog(PLAIN, EXPENSIVE), queryFor("m").maxPromptTokens(Long.MAX_VALUE)))
          .hasSize(2);
    }

    @Test
    @DisplayName("keeps an explicit limit that the budget covers exactly, and drops one token more")
    void explicit() {
      var query = queryFor("m").maxPromptTokens(1000).budget(dollars("0.002"));
      assertThat(tried(catalog(PLAIN), query.outputLimit(500))).containsExactly("plain");
      assertThat(tried(catalog(PLAIN), query.outputLimit(501))).isEmpty();
    }

    @Test
    @DisplayName("keeps an endpoint with 16 affordable tokens and drops one with 15")
    void atLeastSixteen() {
      var query = queryFor("m").maxPromptTokens(1000);
      assertThat(tried(catalog(PLAIN), query.budget(dollars("0.001032")))).hasSize(1);
      var none = refused(catalog(PLAIN), query.budget(dollars("0.001031999")));
      assertThat(none.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
      assertThat(none.error().message())
          .isEqualTo(
              "Insufficient credits: this request needs $0.001032 and $0.001031999 is left;"
                  + " that pays for 15 output tokens, at least 16 are needed");
      assertThat(none.trace())
          .containsExactly(excluded("m@plain", "budget", "$0.001031999 pays for 15 output tokens"));
    }

    @Test
    @DisplayName("does not require 16 tokens where the endpoint writes fewer")
    void shortEndpoint() {
      Endpoint eight =
          endpointBuilder("eight", "m").pricing(perMillion("1", "2")).maxOutputTokens(8).build();
      var query = queryFor("m").maxPromptTokens(1000).budget(dollars("0.001016"));
      assertThat(tried(catalog(eight), query)).hasSize(1);
      assertThat(tried(catalog(PLAIN), query)).isEmpty();
    }

    @Test
    @DisplayName("drops the expensive endpoint and keeps the cheap one, whatever the draw")
    void onlyTheExpensive() {
      var query = queryFor("m").maxPromptTokens(1000).outputLimit(500).budget(dollars("0.002"));
      for (long seed = 0; seed < 50; seed++) {
        assertThat(tried(catalog(PLAIN, EXPENSIVE), query.seed(seed))).containsExactly("plain");
      }
    }

    @Proves("resources.key.KY-1")
    @Test
    @DisplayName(
        "KY-1 refuses an explicit limit that does not fit with 402 and the number of tokens that"
            + " would fit")
    void ky1() {
      var query = queryFor("m").maxPromptTokens(5000).outputLimit(250_000).budget(dollars("0.01"));
      var error = refused(catalog(PLAIN, EXPENSIVE), query).error();
      assertThat(error.code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
      assertThat(error.message())
          .isEqualTo(
              "Insufficient credits: this request needs $0.505 and $0.01 is left;"
                  + " at most 2500 output tokens would fit");
      assertThat(tried(catalog(PLAIN), query.outputLimit(2500))).hasSize(1);
      assertThat(tried(catalog(PLAIN), query.outputLimit(0))).hasSize(1);
    }

    @Test
    @DisplayName("reports when the budget does not even cover the prompt, also after an overrun")
    void prompt() {
      var query = queryFor("m").maxPromptTokens(1000);
      assertThat(refused(catalog(PLAIN), query.budget(dollars("0.000999"))).error().message())
          .endsWith("that does not pay for its prompt");
      assertThat(refused(catalog(PLAIN), query.budget(dollars("0.001"))).error().message())
          .endsWith("that pays for 0 output tokens, at least 16 are needed");
      assertThat(refused(catalog(PLAIN), query.budget(new Usd(-1))).trace())
          .containsExactly(
              excluded("m@plain", "budget", "the prompt alone may cost more than $-0.000000001"));
    }

    @Proves("resources.key.exhausted")
    @Test
    @DisplayName("admits a free endpoint when nothing is left, but not with a debt")
    void free() {
      Endpoint free = endpoint("free", "m", "0");
      assertThat(tried(catalog(free), queryFor("m").budget(Usd.ZERO))).hasSize(1);
      assertThat(tried(catalog(free), queryFor("m").budget(new Usd(-1)))).isEmpty();
    }

    @Test
    @DisplayName("leads to 402 only when money is the last thing that is missing")
    void otherRulesFirst() {
      Endpoint shortOutput =
          endpointBuilder("short", "m").pricing(perMillion("10", "20")).maxOutputTokens(10).build();
      var query = queryFor("m").maxPromptTokens(1000).outputLimit(500).budget(Usd.ZERO);
      assertThat(refused(catalog(shortOutput), query).error().code())
          .isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(refused(catalog(shortOutput, EXPENSIVE), query).error().code())
          .isEqualTo(ErrorCode.PAYMENT_REQUIRED);
    }
  }

  @Nested
  @DisplayName("the hold of a batch request")
  class OfBatch {
    private static RoutingQuery.Builder batch() {
      return queryFor("m").maxPromptTokens(1001).outputLimit(500).batch(true);
    }

    @Test
    @DisplayName("is half of the token prices, rounded up once")
    @Proves("resources.batch.price")
    void half() {
      // 1,001 x $1 and 500 x $2 per million
      assertThat(HoldSize.of(PlannedAttempt.of(PLAIN), batch().batch(false).build()))
          .isEqualTo(Charge.credits(dollars("0.002001")));
      assertThat(HoldSize.of(PlannedAttempt.of(PLAIN), batch().build()))
          .isEqualTo(Charge.credits(dollars("0.0010005")));
    }

    @Test
    @DisplayName("contains searches at their full price")
    void searches() {
      Endpoint searching =
          priced(
              Pricing.builder()
                  .set(Price.PROMPT, UnitPrice.ofDollarsPerMillion(BigDecimal.ONE))
                  .set(Price.COMPLETION, UnitPrice.ofDollarsPerMillion(BigDecimal.TWO))
                  .set(Price.WEB_SEARCH, UnitPrice.ofDollars(new BigDecimal("0.01"))));
      assertThat(HoldSize.of(PlannedAttempt.of(searching), batch().maxSearches(2).build()))
          .isEqualTo(Charge.credits(dollars("0.0210005")));
    }

    @Test
    @DisplayName("lets a budget afford twice the output of a live request")
    void affordable() {
      RoutingQuery live =
          queryFor("m").maxPromptTokens(0).outputLimit(0).budget(dollars("0.001")).build();
      assertThat(HoldSize.affordableTokens(PlannedAttempt.of(PLAIN), live)).isEqualTo(500);
      RoutingQuery half = live.toBuilder().batch(true).build();
      assertThat(HoldSize.affordableTokens(PlannedAttempt.of(PLAIN), half)).isEqualTo(1000);
    }

    @Test
    @DisplayName("is recorded as one of a batch in the query")
    void recorded() {
      RoutingQuery query = batch().build();
      assertThat(RoutingQuery.fromJson(query.toJson()).isBatch()).isTrue();
      assertThat(RoutingQuery.fromJson(batch().batch(false).build().toJson()).isBatch()).isFalse();
    }
  }
}
