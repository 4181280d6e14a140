package io.strowger.core.config;

import static io.strowger.core.config.TestConfigs.accept;
import static io.strowger.core.config.TestConfigs.problems;
import static io.strowger.core.config.TestConfigs.withEndpoint;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Endpoints of the configuration file")
class PricingTest {
  private static Endpoint endpoint(Json document) {
    return accept(document).catalog().endpoints().getFirst();
  }

  @ParameterizedTest
  @DisplayName("accept prices of at most twelve decimals, as strings")
  @CsvSource({"0, 0", "0.000000000001, 1", "0.0000010, 1000000", "1000000, 1000000000000000000"})
  void prices(String dollars, long picos) {
    for (Price price : Price.values()) {
      Pricing pricing =
          endpoint(withEndpoint("'pricing': {'" + price.wireName() + "': '" + dollars + "'}"))
              .pricing();
      assertThat(pricing.picos(price)).as(price.wireName()).isEqualTo(picos);
    }
  }

  @ParameterizedTest
  @DisplayName("refuse other prices")
  @ValueSource(
      strings = {
        "'0.0000000000001'",
        "'1000000.1'",
        "'-1'",
        "'1e-6'",
        "0.000001",
        "'$1'",
        "'.5'",
        "'1.'",
        "[]"
      })
  void otherPrices(String price) {
    assertThat(problems(withEndpoint("'pricing': {'prompt': " + price + "}")))
        .singleElement()
        .asString()
        .startsWith(
            "/models/0/endpoints/0/pricing/prompt: must be a decimal string from 0 to 1000000 with"
                + " at most 12 decimals, was ");
  }

  @Test
  @DisplayName("can override prices for long prompts and times of day")
  void overrides() {
    var overrides =
        endpoint(
                withEndpoint(
                    """
                    'pricing': {'prompt': '1', 'overrides': [
                      {'min_prompt_tokens': 0, 'prompt': '2'},
                      {'utc_start': '0000', 'utc_end': 2359, 'completion': '3'}]}
                    """))
            .pricing()
            .overrides();
    assertThat(overrides.get(0).minPromptTokens()).isZero();
    assertThat(overrides.get(0).utcStart()).isNull();
    assertThat(overrides.get(1).minPromptTokens()).isNull();
    assertThat(overrides.get(1).utcStart()).isZero();
    assertThat(overrides.get(1).utcEnd()).isEqualTo(2359);
    assertThat(overrides.get(1).prices()).containsOnlyKeys(Price.COMPLETION);
  }

  @Test
  @DisplayName("refuse overrides with invalid times of day or other members")
  void badOverrides() {
    String overrides = "/models/0/endpoints/0/pricing/overrides/";
    assertThat(
            problems(
                withEndpoint(
                    """
                    'pricing': {'overrides': [
                      {'utc_start': 2400, 'utc_end': '0960'}, {'utc_start': 100},
                      {'utc_start': 100, 'utc_end': 100}, {'min_prompt_tokens': -1, 'max': 1},
                      {'utc_start': '930', 'utc_end': -1}]}
                    """)))
        .containsExactly(
            overrides + "0/utc_start: must be a time of day as HHMM, 0000 to 2359, was 2400",
            overrides + "0/utc_end: must be a time of day as HHMM, 0000 to 2359, was \"0960\"",
            overrides + "1/utc_end: is required, since utc_start and utc_end go together",
            overrides + "2/utc_end: must differ from utc_start, was 100",
            overrides + "3/min_prompt_tokens: must be a whole number from 0 to 2147483647, was -1",
            overrides
                + "3/max: is not a member here; allowed: min_prompt_tokens, utc_start, utc_end,"
                + " prompt, completion, input_cache_read, input_cache_write, input_cache_write_1h,"
                + " internal_reasoning, request, image, input_audio, output_audio, characters,"
                + " web_search, search_units, seconds",
            overrides + "4/utc_start: must be a time of day as HHMM, 0000 to 2359, was \"930\"",
            overrides + "4/utc_end: must be a time of day as HHMM, 0000 to 2359, was -1");
  }
}
