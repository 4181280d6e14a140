package io.strowger.core.dialect;

import static io.strowger.core.decode.TestRules.problems;
import static io.strowger.core.decode.TestRules.readValid;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Provider preferences")
class ProviderObjectTest {
  private static ProviderPreferences preferences(String members) {
    return readValid(ProviderObject.RULE, "{" + members + "}");
  }

  private static List<String> problemsOf(String members) {
    return problems(ProviderObject.RULE, "{" + members + "}");
  }

  @Proves({
    "chat.provider",
    "provider.allow_fallbacks",
    "provider.preferred_max_latency",
    "provider.preferred_min_throughput",
    "chat.member.provider"
  })
  @Test
  @DisplayName("are read with all their members")
  void typed() {
    assertThat(
            preferences(
                "'order':['a','a/x'],'only':['B'],'ignore':[''],"
                    + "'allow_fallbacks':false,"
                    + "'require_parameters':true,'data_collection':'deny','zdr':true,"
                    + "'enforce_distillable_text':true,'quantizations':['fp8','unknown'],"
                    + "'max_price':{'prompt':'1.5','completion':2,'image':'0.01','audio':1e-3,"
                    + "'request':'0'},'sort':{'by':'latency','partition':'none'},"
                    + "'preferred_min_throughput':50,"
                    + "'preferred_max_latency':{'p50':0.5,'p75':null,'p90':2,'p99':3.25}"))
        .isEqualTo(
            ProviderPreferences.builder()
                .order(List.of("a", "a/x"))
                .only(List.of("B"))
                .ignore(List.of(""))
                .allowFallbacks(false)
                .requireParameters(true)
                .denyDataCollection(true)
                .zdr(true)
                .enforceDistillableText(true)
                .quantizations(List.of("fp8", "unknown"))
                .maxPrice(
                    new PriceCaps(
                        new UnitPrice(1_500_000),
                        new UnitPrice(2_000_000),
                        new UnitPrice(10_000_000_000L),
                        new UnitPrice(1_000_000_000),
                        UnitPrice.FREE))
                .sort(new ProviderSort(ProviderSort.Key.LATENCY, ProviderSort.Partition.NONE))
                .preferredMinThroughput(new PercentilePreferences(50_000_000L, null, null, null))
                .preferredMaxLatency(
                    new PercentilePreferences(500_000L, null, 2_000_000L, 3_250_000L))
                .build());
  }

  @Proves("chat.member.provider")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "'order':null,'only':null,'ignore':null,'allow_fallbacks':null",
        "'order':[],'ignore':[],'allow_fallbacks':true",
        "'data_collection':'allow'",
        "'data_collection':null,'zdr':null,'require_parameters':null",
        "'zdr':false,'require_parameters':false,'enforce_distillable_text':false",
        "'enforce_distillable_text':null,'quantizations':null",
        "'quantizations':[]",
        "'sort':null",
        "'sort':{'by':null,'partition':'model'}",
        "'sort':{'partition':null,'later':1}",
        "'max_price':{}",
        "'max_price':{'later':null}",
        "'preferred_max_latency':null,'preferred_min_throughput':null",
        "'preferred_min_throughput':{'p50':null,'p75':null,'p90':null,'p99':null,'p10':'x'}",
      })
  @DisplayName("are the same as none when their members are absent, null, empty or defaults")
  void nothing(String members) {
    assertThat(preferences(members)).isEqualTo(ProviderPreferences.NONE);
  }

  @Proves({
    "provider.closed",
    "provider.data_collection",
    "provider.enforce_distillable_text",
    "provider.ignore",
    "provider.only",
    "provider.order",
    "provider.require_parameters",
    "routing.preference.sort.values",
    "chat.member.provider"
  })
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'x':1 | /x: is not a member of provider, was 1",
        "'x':null | /x: is not a member of provider, was null",
        "'Order':[] | /Order: is not a member of provider, was an array of 0",
        "'allow_fallbacks':'no' | /allow_fallbacks: must be true or false, was \"no\"",
        "'data_collection':'x' | /data_collection: must be one of deny, allow, was \"x\"",
        "'data_collection':true | /data_collection: must be one of deny, allow, was true",
        "'enforce_distillable_text':1 | /enforce_distillable_text: must be true or false, was 1",
        "'ignore':'a' | /ignore: must be an array, was \"a\"",
        "'ignore':['a',null] | /ignore/1: must be a string, was null",
        "'only':[1] | /only/0: must be a string, was 1",
        "'order':{} | /order: must be an array, was an object",
        "'max_price':null | /max_price: must be an object, was null",
        "'max_price':'1' | /max_price: must be an object, was \"1\"",
        "'preferred_max_latency':'x' | /preferred_max_latency: must be a number or an object of"
            + " p50, p75, p90, p99, was \"x\"",
        "'preferred_max_latency':-0.1 | /preferred_max_latency: must be a number of at least 0,"
            + " was -0.1",
        "'preferred_min_throughput':{'p50':'1'} | /preferred_min_throughput/p50: must be a number"
            + " of at least 0, was \"1\"",
        "'preferred_min_throughput':{'p75':-1} | /preferred_min_throughput/p75: must be a number"
            + " of at least 0, was -1",
        "'preferred_min_throughput':{'p90':-1} | /preferred_min_throughput/p90: must be a number"
            + " of at least 0, was -1",
        "'preferred_min_throughput':{'p99':1e9999999999} | /preferred_min_throughput/p99: must be"
            + " a number of at least 0, was 1e9999999999",
        "'quantizations':'fp8' | /quantizations: must be an array, was \"fp8\"",
        "'quantizations':['fp7'] | /quantizations/0: must be one of int4, int8, fp4, mxfp4, nvfp4,"
            + " fp6, fp8, mxfp8, fp16, bf16, fp32, unknown, was \"fp7\"",
        "'require_parameters':[] | /require_parameters: must be true or false, was an array of 0",
        "'sort':'x' | /sort: must be one of price, throughput, latency, exacto, was \"x\"",
        "'sort':1 | /sort: must be a string or an object, was 1",
        "'sort':{'by':'x'} | /sort/by: must be one of price, throughput, latency, exacto, was"
            + " \"x\"",
        "'sort':{'partition':'x'} | /sort/partition: must be one of model, none, was \"x\"",
        "'zdr':1 | /zdr: must be true or false, was 1",
      })
  @DisplayName("may not have")
  void refused(String members, String problem) {
    assertThat(problemsOf(members)).containsExactly(problem);
  }

  @Test
  @DisplayName("must be an object, and are refused with all problems at once")
  void all() {
    assertThat(problems(ProviderObject.RULE, "null"))
        .containsExactly("must be an object, was null");
    assertThat(problemsOf("'zdr':1,'later':2,'sort':3")).hasSize(3);
  }

  @Proves({"routing.preference.sort", "routing.preference.sort.values"})
  @ParameterizedTest
  @ValueSource(strings = {"price", "throughput", "latency", "exacto"})
  @DisplayName("sort by")
  void sort(String key) {
    assertThat(preferences("'sort':'" + key + "'").sort())
        .isEqualTo(preferences("'sort':{'by':'" + key + "'}").sort())
        .hasToString("ProviderSort[by=" + key.toUpperCase(Locale.ROOT) + ", partition=MODEL]");
  }

  @Proves("provider.quantizations")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "int4", "int8", "fp4", "mxfp4", "nvfp4", "fp6", "fp8", "mxfp8", "fp16", "bf16", "fp32",
        "unknown"
      })
  @DisplayName("accept the quantization")
  void quantizations(String level) {
    assertThat(preferences("'quantizations':['" + level + "']").quantizations())
        .containsExactly(level);
  }

  @Nested
  @DisplayName("cap a price")
  class Caps {
    private @Nullable UnitPrice cap(String name, String amount) {
      PriceCaps caps = preferences("'max_price':{'" + name + "':" + amount + "}").maxPrice();
      return switch (name) {
        case "prompt" -> caps.prompt();
        case "completion" -> caps.completion();
        case "image" -> caps.image();
        case "audio" -> caps.audio();
        default -> caps.request();
      };
    }

    @Proves({"provider.max_price", "routing.preference.max_price.forms"})
    @ParameterizedTest
    @CsvSource({
      "prompt, '0.0000019', 1",
      "prompt, '0.0000009', 0",
      "completion, '1', 1000000",
      "image, '0.0000000000019', 1",
      "audio, '1', 1000000000000",
      "request, '0', 0",
      "request, '-0', 0",
      "request, '.5', 500000000000",
      "request, '5.', 5000000000000",
      "request, '+1e-12', 1",
      "request, '1E-999999999', 0",
      "request, '9223372.036854775807', 9223372036854775807",
      "request, '9223372.036854775808', 9223372036854775807",
      "request, '99999999', 9223372036854775807",
      "request, '1e999999999', 9223372036854775807",
    })
    @DisplayName("rounded down to a picodollar, and at most the largest price there is")
    void floored(String name, String amount, long picos) {
      assertThat(cap(name, "'" + amount + "'")).isEqualTo(new UnitPrice(picos));
      if (!amount.startsWith(".") && !amount.endsWith(".") && !amount.startsWith("+")) {
        assertThat(cap(name, amount)).isEqualTo(new UnitPrice(picos));
      }
    }

    @Proves({"provider.max_price", "open.36"})
    @ParameterizedTest
    @ValueSource(
        strings = {
          "'-1'",
          "'x'",
          "true",
          "null",
          "-0.1",
          "-1e-999999999",
          "1e9999999999",
          "''",
          "' 1'",
          "'1e'",
          "'.'",
          "'1e9999999999'",
          "'NaN'",
          "'1,5'",
          "'\u0661'",
          "'0x1'",
          "[]"
        })
    @DisplayName("only with an amount of at least 0")
    void refused(String amount) {
      for (String name : List.of("prompt", "completion", "image", "audio", "request")) {
        assertThat(problemsOf("'max_price':{'" + name + "':" + amount + "}"))
            .singleElement()
            .asString()
            .startsWith(
                "/max_price/" + name + ": must be an amount of at least 0, such as \"0.5\", was ");
      }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    @DisplayName("and refuse amounts of more than 64 characters without parsing them")
    void endless() {
      Json.Obj caps = Json.object().put("prompt", "9".repeat(20_000_000)).build();
      Json.Obj provider = Json.object().put("max_price", caps).build();
      assertThat(problems(ProviderObject.RULE, provider)).hasSize(1);
      assertThat(problemsOf("'max_price':{'prompt':'" + "1".repeat(64) + "'}")).isEmpty();
      assertThat(problemsOf("'max_price':{'prompt':'" + "1".repeat(65) + "'}")).hasSize(1);
    }
  }

  @Test
  @DisplayName("hold their cutoffs in millionths, rounded down")
  void cutoffs() {
    assertThat(preferences("'preferred_max_latency':0.0000019").preferredMaxLatency().p50())
        .isEqualTo(1);
    assertThat(preferences("'preferred_max_latency':0").preferredMaxLatency().p50()).isZero();
    assertThat(preferences("'preferred_min_throughput':1e300").preferredMinThroughput().p50())
        .isEqualTo(Long.MAX_VALUE);
  }
}
