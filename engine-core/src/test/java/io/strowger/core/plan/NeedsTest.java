package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.Quantization;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An endpoint must support what a request needs:")
class NeedsTest {
  private static void assertConstrained(RoutePlan.NoRoute none, String field, String word) {
    assertThat(none.error().code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
    assertThat(none.error().code().status()).isEqualTo(404);
    var availability = none.error().availability();
    assertThat(availability.text("code")).isEqualTo("constraint_filtered");
    assertThat(availability.get("excluded_by")).isEqualTo(Json.array(Json.of(word)));
    assertThat(availability.object("constraint"))
        .isNotNull()
        .satisfies(
            constraint -> {
              assertThat(constraint.text("field")).isEqualTo(field);
              assertThat(constraint.text("detail")).isEqualTo(none.error().message());
            });
  }

  @Nested
  @DisplayName("require_parameters")
  class RequireParameters {
    private static Endpoint endpointWith(String tag, Parameter... parameters) {
      return endpointBuilder(tag, "m")
          .parameters(Parameter.mask(Arrays.asList(parameters)))
          .build();
    }

    private static RoutingQuery.Builder queryRequiring(Parameter... parameters) {
      return queryFor("m")
          .parameters(Parameter.mask(Arrays.asList(parameters)))
          .preferences(preferences().requireParameters(true).build());
    }

    @Proves({
      "provider.require_parameters",
      "routing.preference.require_parameters",
      "routing.parameters.RP-3"
    })
    @Test
    @DisplayName("RP-3 refuses when no endpoint supports a parameter and the caller requires it")
    void rp3() {
      var none =
          refused(catalog(endpointWith("a"), endpointWith("b")), queryRequiring(Parameter.TOOLS));
      assertConstrained(none, "provider.require_parameters", "require_parameters");
      assertThat(none.error().message()).endsWith("does not take tools");
    }

    @Proves({
      "routing.preference.require_parameters",
      "routing.parameters.drop",
      "routing.parameters.RP-4"
    })
    @Test
    @DisplayName("RP-4 keeps an endpoint without a parameter that the caller does not require")
    void rp4() {
      assertThat(tried(catalog(endpointWith("a")), queryFor("m").parameters(Parameter.TOP_K.bit())))
          .containsExactly("a");
    }

    @Proves({"provider.require_parameters", "routing.parameters.require"})
    @Test
    @DisplayName("keeps only endpoints that support all of them, and names what the others lack")
    void all() {
      var catalog =
          catalog(
              endpointWith("a", Parameter.TOP_K, Parameter.SEED),
              endpointWith("b", Parameter.TOP_K),
              endpointWith("c", Parameter.STOP));
      var plan = plan(catalog, queryRequiring(Parameter.TOP_K, Parameter.SEED));
      assertThat(tried(plan)).containsExactly("a");
      assertThat(plan.trace())
          .contains(
              excluded("m@b", "provider.require_parameters", "does not take seed"),
              excluded("m@c", "provider.require_parameters", "does not take top_k, seed"));
      assertThat(tried(catalog, queryRequiring())).hasSize(3);
    }

    @Proves({"routing.parameters.require", "open.38"})
    @ParameterizedTest(name = "{0} is taken by who takes {1}: {2}")
    @DisplayName("treats different names of the same parameter as the same")
    @CsvSource({
      "MAX_TOKENS, MAX_COMPLETION_TOKENS, true",
      "MAX_COMPLETION_TOKENS, MAX_TOKENS, true",
      "REASONING, REASONING_EFFORT, true",
      "REASONING_EFFORT, INCLUDE_REASONING, true",
      "INCLUDE_REASONING, REASONING, true",
      "REASONING, MAX_TOKENS, false",
      "STRUCTURED_OUTPUTS, RESPONSE_FORMAT, false",
      "RESPONSE_FORMAT, STRUCTURED_OUTPUTS, false",
      "TOOL_CHOICE, TOOLS, false",
    })
    void pairs(Parameter asked, Parameter taken, boolean kept) {
      assertThat(tried(catalog(endpointWith("a", taken)), queryRequiring(asked)))
          .hasSize(kept ? 1 : 0);
    }
  }

  @Nested
  @DisplayName("quantizations")
  class Quantizations {
    @Proves({
      "provider.quantizations",
      "routing.preference.quantizations",
      "routing.preference.quantization.families",
      "open.33"
    })
    @ParameterizedTest(name = "{0} keeps {1}")
    @DisplayName("keep the listed levels, and for fp4 and fp8 their families")
    @CsvSource({
      "fp4, fp4 mxfp4 nvfp4",
      "mxfp4, mxfp4",
      "fp8, fp8 mxfp8",
      "FP8, fp8 mxfp8",
      "mxfp8, mxfp8",
      "fp16 bf16, fp16 bf16",
      "int4, int4",
      "unknown, unknown odd",
      "int8 fp6 fp32, int8 fp6 fp32",
    })
    void levels(String listed, String kept) {
      var endpoints = new ArrayList<Endpoint>();
      for (Quantization level : Quantization.values()) {
        String name = level.name().toLowerCase(Locale.ROOT);
        endpoints.add(endpointBuilder(name, "m").quantization(name).build());
      }
      endpoints.add(endpointBuilder("odd", "m").quantization("q7").build());
      var preferences = preferences().quantizations(List.of(listed.split(" "))).build();
      assertThat(tried(catalog(endpoints), queryFor("m").preferences(preferences)))
          .containsExactlyInAnyOrder(kept.split(" "));
    }

    @Proves({
      "routing.preference.quantizations",
      "routing.match.excluded_by",
      "resources.error.availability.404",
      "open.15"
    })
    @Test
    @DisplayName("refuse when there is no such endpoint, naming the available levels")
    void nobody() {
      var preferences = preferences().quantizations(List.of("fp16", "bf16")).build();
      var none =
          refused(
              catalog(endpointBuilder("a", "m").quantization("fp8").build()),
              queryFor("m").preferences(preferences));
      assertConstrained(none, "provider.quantizations", "quantization");
      assertThat(none.error().message()).endsWith("is fp8, permits fp16, bf16");
    }
  }

  @Nested
  @DisplayName("a context length")
  class Context {
    private final Endpoint small = endpointBuilder("small", "m").contextLength(1000).build();
    private final Endpoint unknown = endpointBuilder("unknown", "m").build();

    @Proves("routing.candidates.5")
    @ParameterizedTest(name = "{0} of prompt, {1} of output: {2}")
    @DisplayName("that holds prompt and output; an unknown one is accepted")
    @CsvSource({
      "999, 0, 2",
      "1000, 0, 2",
      "1001, 0, 1",
      "900, 99, 2",
      "900, 100, 2",
      "900, 101, 1",
      "0, 1000, 2",
      "0, 1001, 1",
      "9223372036854775807, 2147483647, 1"
    })
    void bounds(long prompt, int output, int left) {
      var query = queryFor("m").promptTokens(prompt).outputLimit(output);
      assertThat(tried(catalog(small, unknown), query)).hasSize(left);
    }

    @Proves("routing.candidates.5")
    @Test
    @DisplayName("that holds the output alone when the prompt will be compressed")
    void compressible() {
      var query = queryFor("m").promptTokens(5000).compression(ContextCompressionScope.ALL);
      assertThat(tried(catalog(small), query.outputLimit(999))).hasSize(1);
      var none = refused(catalog(small), query.outputLimit(1000));
      assertThat(none.error().message())
          .endsWith("has a context of 1000 tokens, 1000 of output were asked for");
    }

    private final Endpoint halfContext = endpointBuilder("b", "m2").contextLength(5000).build();
    private final Endpoint wholeContext = endpointBuilder("c", "m3").contextLength(10_000).build();

    @Proves("plugins.other.compression.model")
    @Test
    @DisplayName("of half of what is needed when prompts are compressed: 5,000 for 10,000")
    void halfIsEnough() {
      var query =
          queryFor("m", "m2", "m3")
              .promptTokens(9000)
              .outputLimit(1000)
              .compression(ContextCompressionScope.ALL);
      assertThat(tried(catalog(small, halfContext, wholeContext), query))
          .containsExactly(halfContext.tag(), wholeContext.tag());
      assertThat(tried(catalog(small, halfContext, wholeContext), query.promptTokens(9001)))
          .containsExactly(wholeContext.tag());
    }

    @Proves("plugins.other.compression.model")
    @Test
    @DisplayName(
        "that is the largest, when none is half of what is needed and prompts are compressed")
    void largest() {
      var query =
          queryFor("m", "m2")
              .promptTokens(90_000)
              .outputLimit(500)
              .compression(ContextCompressionScope.ALL);
      assertThat(tried(catalog(small, halfContext), query)).containsExactly(halfContext.tag());
      var unasked = query.compression(ContextCompressionScope.SMALL_CONTEXTS);
      assertThat(tried(catalog(small, halfContext), unasked)).containsExactly(halfContext.tag());
    }

    @Test
    @DisplayName("of the whole prompt and output, if an endpoint of the model has it")
    void holding() {
      Endpoint roomy = endpointBuilder("d", "m2").contextLength(100_000).build();
      var query = queryFor("m2").promptTokens(9000).compression(ContextCompressionScope.ALL);
      assertThat(tried(catalog(halfContext, roomy), query)).containsExactly(roomy.tag());
    }

    @Proves("plugins.other.compression.default")
    @Test
    @DisplayName(
        "of at most 8,192 tokens, for which prompts are compressed by default unless switched off")
    void unasked() {
      Endpoint fits = endpointBuilder("d", "m8").contextLength(8192).build();
      Endpoint large = endpointBuilder("e", "m9").contextLength(8193).build();
      var query = queryFor("m8", "m9").promptTokens(10_000);
      var unasked = query.compression(ContextCompressionScope.SMALL_CONTEXTS);
      assertThat(tried(catalog(fits, large), unasked)).containsExactly(fits.tag());
      for (ContextCompressionScope none :
          List.of(ContextCompressionScope.OFF, ContextCompressionScope.UNAVAILABLE)) {
        refused(catalog(fits, large), query.compression(none));
      }
    }

    @Test
    @DisplayName("of the whole prompt for a model that only creates images")
    void imagesOnly() {
      Endpoint imageModel =
          endpointBuilder("d", "m8")
              .contextLength(8192)
              .outputModalities(Modality.IMAGE.bit())
              .build();
      var query =
          queryFor("m8")
              .promptTokens(10_000)
              .outputModalities(Modality.IMAGE.bit())
              .compression(ContextCompressionScope.ALL);
      assertThat(refused(catalog(imageModel), query).error().message()).contains("context of 8192");
    }

    @Proves("plugins.other.compression.off")
    @Test
    @DisplayName(
        "or the request is refused, recommending the plugin when it is installed but switched off")
    void recommended() {
      var query = queryFor("m").promptTokens(5000).outputLimit(10);
      String advice =
          "; with {\"id\":\"context-compression\"} in plugins, messages from the middle are left"
              + " out until the rest fits";
      assertThat(
              refused(catalog(small), query.compression(ContextCompressionScope.OFF))
                  .error()
                  .message())
          .endsWith("10 of output were asked for" + advice);
      assertThat(
              refused(catalog(small), query.compression(ContextCompressionScope.UNAVAILABLE))
                  .error()
                  .message())
          .endsWith("10 of output were asked for");
    }

    @Test
    @DisplayName("or the request is refused with the lengths")
    void nobody() {
      var none = refused(catalog(small), queryFor("m").promptTokens(5000).outputLimit(10));
      assertConstrained(none, "context_length", "context_length");
      assertThat(none.error().message())
          .endsWith(
              "has a context of 1000 tokens, about 5000 of prompt and 10 of output were asked for");
    }
  }

  @Nested
  @DisplayName("output modalities")
  class Outputs {
    private final int both = Modality.mask(List.of(Modality.TEXT, Modality.IMAGE));
    private final Endpoint text = endpointBuilder("text", "m").build();
    private final Endpoint images = endpointBuilder("images", "m").outputModalities(both).build();

    @Test
    @DisplayName("of a chat, all that the request asks for")
    void chat() {
      var plan = plan(catalog(text, images), queryFor("m").outputModalities(both));
      assertThat(tried(plan)).containsExactly("images");
      assertThat(plan.trace())
          .contains(excluded("m@text", "output_modalities", "does not write image"));
      assertThat(tried(catalog(text, images), queryFor("m"))).hasSize(2);
      assertThat(refused(catalog(text), queryFor("m").outputModalities(both)).error().code())
          .isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
    }

    @Test
    @DisplayName("but not of speech, which is a kind of its own")
    void speech() {
      var voice =
          endpointBuilder("voice", "m")
              .kind(Endpoint.Kind.SPEECH)
              .outputModalities(Modality.AUDIO.bit())
              .build();
      assertThat(tried(catalog(voice), queryFor("m").kind(Endpoint.Kind.SPEECH))).hasSize(1);
    }
  }

  @Nested
  @DisplayName("a region")
  class Region {
    private static Endpoint endpointIn(String slug, @Nullable String region) {
      return Endpoint.builder("m", new ProviderInfo(slug, slug, true, true, region, false)).build();
    }

    @Proves("routing.other.region")
    @Test
    @DisplayName("that the request demands, ignoring case; an unknown region does not match")
    void inside() {
      var catalog =
          catalog(
              endpointIn("a", "eu"),
              endpointIn("b", "US"),
              endpointIn("c", null),
              endpointIn("d", "EU"));
      var plan = plan(catalog, queryFor("m").region("Eu"));
      assertThat(tried(plan)).containsExactlyInAnyOrder("a", "d");
      assertThat(plan.trace())
          .contains(
              excluded("m@b", "region", "computes in US, must be Eu"),
              excluded("m@c", "region", "does not say where it computes, must be Eu"));
      assertThat(tried(catalog, queryFor("m"))).hasSize(4);
    }

    @Proves({"routing.match.excluded_by", "routing.other.region"})
    @Test
    @DisplayName("without an endpoint leads to 404 data_region")
    void nobody() {
      var none =
          refused(
              catalog(endpointIn("a", "eu"), endpointIn("c", null)), queryFor("m").region("us"));
      assertConstrained(none, "region", "data_region");
    }
  }
}
