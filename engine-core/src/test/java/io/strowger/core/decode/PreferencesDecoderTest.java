package io.strowger.core.decode;

import static io.strowger.core.decode.chat.Documents.chatWith;
import static io.strowger.core.decode.chat.Documents.good;
import static io.strowger.core.decode.chat.Documents.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.routing.ProviderPreferences;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The provider object")
class PreferencesDecoderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'order':null,'only':null,'ignore':null,'allow_fallbacks':null",
        "'data_collection':'allow'",
        "'data_collection':null",
        "'zdr':false",
        "'zdr':null",
        "'require_parameters':false",
        "'require_parameters':null",
        "'enforce_distillable_text':false",
        "'quantizations':null",
        "'quantizations':[]",
        "'sort':null",
        "'sort':{'by':null,'partition':'model'}",
        "'sort':{}",
        "'max_price':{}",
        "'preferred_max_latency':null",
        "'preferred_min_throughput':{'p50':null}",
      })
  @DisplayName("may ask for what happens anyway")
  void noEffect(String members) {
    assertThat(good(chatWith("'provider':{" + members + "}")).preferences())
        .isEqualTo(ProviderPreferences.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "data_collection | 'deny' | \"deny\"",
        "zdr | true | true",
        "require_parameters | true | true",
        "enforce_distillable_text | true | true",
        "quantizations | ['fp8'] | an array of 1",
        "sort | 'price' | \"price\"",
        "sort | {'by':'latency'} | an object",
        "sort | {'partition':'none'} | an object",
        "max_price | {'prompt':'1.5'} | an object",
        "max_price | {'completion':2} | an object",
        "preferred_max_latency | 2 | 2",
        "preferred_min_throughput | {'p90':50} | an object",
      })
  @DisplayName("may not ask for what this version cannot do, and says so")
  void notYet(String member, String value, String shown) {
    assertThat(problems(chatWith("'provider':{'" + member + "':" + value + "}")))
        .containsExactly(
            "/provider/" + member + ": is not supported by this version yet, was " + shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'x':1 | /provider/x: is not a member of provider, was 1",
        "'x':null | /provider/x: is not a member of provider, was null",
        "'Order':[] | /provider/Order: is not a member of provider, was an array of 0",
        "'order':'a' | /provider/order: must be an array, was \"a\"",
        "'only':[1] | /provider/only/0: must be a string, not empty, was 1",
        "'ignore':['a',''] | /provider/ignore/1: must be a string, not empty, was \"\"",
        "'allow_fallbacks':'no' | /provider/allow_fallbacks: must be true or false, was \"no\"",
        "'data_collection':'x' | /provider/data_collection: must be one of deny, allow, was \"x\"",
        "'zdr':1 | /provider/zdr: must be true or false, was 1",
        "'sort':'x' | /provider/sort: must be one of price, throughput, latency, exacto, was \"x\"",
        "'sort':1 | /provider/sort: must be a string or an object, was 1",
        "'max_price':null | /provider/max_price: must be an object, was null",
        "'preferred_max_latency':'x' | /provider/preferred_max_latency: must be a number or an"
            + " object of p50, p75, p90, p99, was \"x\"",
        "'quantizations':['fp7'] | /provider/quantizations/0: must be one of int4, int8, fp4,"
            + " mxfp4, nvfp4, fp6, fp8, mxfp8, fp16, bf16, fp32, unknown, was \"fp7\"",
      })
  @DisplayName("may not have")
  void refused(String members, String problem) {
    assertThat(problems(chatWith("'provider':{" + members + "}"))).containsExactly(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'-1'", "'x'", "true", "-0.1", "1e9999999999"})
  @DisplayName("may not cap a price with")
  void prices(String cap) {
    assertThat(problems(chatWith("'provider':{'max_price':{'prompt':" + cap + "}}")))
        .anyMatch(p -> p.startsWith("/provider/max_price/prompt: must be an amount"));
  }

  @Test
  @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("may not cap a price with more digits than anybody can mean, and they are not read")
  void endlessPrice() {
    String digits = "9".repeat(20_000_000);
    assertThat(problems(chatWith("'provider':{'max_price':{'prompt':'" + digits + "'}}")))
        .anyMatch(p -> p.startsWith("/provider/max_price/prompt: must be an amount"));
  }
}
