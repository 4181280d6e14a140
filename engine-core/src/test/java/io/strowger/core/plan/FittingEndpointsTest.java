package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.perMillion;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.RoutingQuery;
import io.strowger.core.routing.SpeechRequirements;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A plan contains only endpoints that fit the request:")
class FittingEndpointsTest {
  private static final long NO_TOOLS = Parameter.ALL & ~Parameter.TOOLS.bit();

  private static Endpoint endpointWith(String tag, long parameters) {
    return endpointBuilder(tag, "m").pricing(perMillion("1", "1")).parameters(parameters).build();
  }

  @Nested
  @DisplayName("max_tokens")
  class MaxTokens {
    private final Endpoint shortOutput =
        endpointBuilder("short", "m").maxOutputTokens(1000).build();
    private final Endpoint unknown = endpointBuilder("unknown", "m").build();

    @Test
    @DisplayName("is not checked when the caller sets no limit")
    void noLimit() {
      assertThat(tried(catalog(shortOutput, unknown), queryFor("m"))).hasSize(2);
    }

    @Test
    @DisplayName("keeps endpoints that can write exactly as many, and those whose limit is unknown")
    void atTheBound() {
      for (int limit : new int[] {1, 999, 1000}) {
        assertThat(tried(catalog(shortOutput, unknown), queryFor("m").outputLimit(limit)))
            .hasSize(2);
      }
    }

    @Proves("routing.candidates.4")
    @Test
    @DisplayName("drops endpoints whose limit is one token less, and the trace says so")
    void overTheBound() {
      var plan = plan(catalog(shortOutput, unknown), queryFor("m").outputLimit(1001));
      assertThat(tried(plan)).containsExactly("unknown");
      assertThat(plan.trace())
          .contains(
              excluded("m@short", "max_tokens", "writes at most 1000 tokens, 1001 were asked for"));
    }

    @Test
    @DisplayName("leads to 404 constraint_filtered when no endpoint is left")
    void nobody() {
      var error = refused(catalog(shortOutput), queryFor("m").outputLimit(1001)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(error.availability().text("code")).isEqualTo("constraint_filtered");
      assertThat(error.availability().has("excluded_by")).isFalse();
      assertThat(error.availability().object("constraint"))
          .isNotNull()
          .satisfies(constraint -> assertThat(constraint.text("field")).isEqualTo("max_tokens"));
    }
  }

  @Nested
  @DisplayName("input modalities")
  class Modalities {
    private final Endpoint text = endpointBuilder("text", "m").build();
    private final Endpoint images =
        endpointBuilder("images", "m")
            .inputModalities(Modality.mask(List.of(Modality.TEXT, Modality.IMAGE)))
            .build();

    @Test
    @DisplayName("drop endpoints that cannot read the whole prompt, naming what they cannot read")
    void dropped() {
      int prompt = Modality.mask(List.of(Modality.TEXT, Modality.IMAGE));
      var plan = plan(catalog(text, images), queryFor("m").inputModalities(prompt));
      assertThat(tried(plan)).containsExactly("images");
      assertThat(plan.trace())
          .contains(excluded("m@text", "input_modalities", "does not read image"));
    }

    @Test
    @DisplayName("lead to 404 constraint_filtered when no endpoint reads them")
    void nobody() {
      int prompt = Modality.mask(List.of(Modality.IMAGE, Modality.AUDIO, Modality.FILE));
      var error = refused(catalog(text, images), queryFor("m").inputModalities(prompt)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(error.message()).contains("does not read image, audio, file");
    }

    @Test
    @DisplayName("of no kind are no constraint")
    void none() {
      assertThat(tried(catalog(text, images), queryFor("m").inputModalities(0))).hasSize(2);
    }
  }

  @Nested
  @DisplayName("the kind of request")
  class Kind {
    private final Endpoint chat = endpointBuilder("chat", "m").build();
    private final Endpoint speech =
        endpointBuilder("speech", "m").kind(Endpoint.Kind.SPEECH).build();

    @Test
    @DisplayName("decides between the endpoints of a model")
    void kinds() {
      var both = catalog(chat, speech);
      assertThat(tried(both, queryFor("m"))).containsExactly("chat");
      assertThat(tried(both, queryFor("m").kind(Endpoint.Kind.SPEECH))).containsExactly("speech");
    }

    @Proves("resources.error.availability.400")
    @Test
    @DisplayName("leads to 400 wrong_endpoint when the model serves only other kinds")
    void wrongEndpoint() {
      var error = refused(catalog(speech), queryFor("m").kind(Endpoint.Kind.EMBEDDINGS)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.WRONG_ENDPOINT);
      assertThat(error.message()).contains("serves speech, not embeddings");
      assertThat(error.availability().text("code")).isEqualTo("wrong_endpoint");
    }
  }

  @Nested
  @DisplayName("speech")
  class Speech {
    private final Endpoint plain = endpointBuilder("plain", "m").kind(Endpoint.Kind.SPEECH).build();
    private final Endpoint samples =
        endpointBuilder("samples", "m")
            .kind(Endpoint.Kind.SPEECH)
            .multiSpeaker(true)
            .audioFormats(List.of("pcm"))
            .build();

    private static RoutingQuery.Builder speechQuery(boolean multiSpeaker, String format) {
      return queryFor("m")
          .kind(Endpoint.Kind.SPEECH)
          .speech(new SpeechRequirements(5, multiSpeaker, format));
    }

    @Test
    @DisplayName("of several speakers needs an endpoint with several voices")
    void turns() {
      assertThat(tried(catalog(plain, samples), speechQuery(false, "pcm"))).hasSize(2);
      var plan = plan(catalog(plain, samples), speechQuery(true, "pcm"));
      assertThat(tried(plan)).containsExactly("samples");
      assertThat(plan.trace())
          .contains(excluded("m@plain", "multi_speaker", "speaks a text of one speaker only"));
    }

    @Test
    @DisplayName("needs an endpoint that produces the format")
    void formats() {
      assertThat(tried(catalog(plain, samples), speechQuery(false, "mp3")))
          .containsExactly("plain");
      var error = refused(catalog(samples), speechQuery(true, "mp3")).error();
      assertThat(error.code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
      assertThat(error.message()).contains("produces audio as pcm");
    }
  }

  @Nested
  @DisplayName("soft parameters")
  class Soft {
    private final Endpoint tools = endpointWith("tools", Parameter.ALL);
    private final Endpoint plain = endpointWith("plain", NO_TOOLS);
    private final long asked = Parameter.TOOLS.bit();

    @Proves({"routing.candidates.4", "routing.parameters.soft", "routing.parameters.RP-1"})
    @Test
    @DisplayName("RP-1 use only endpoints that support tools when there are any")
    void rp1() {
      var plan = plan(catalog(tools, plain), queryFor("m").parameters(asked));
      assertThat(tried(plan)).containsExactly("tools");
      assertThat(plan.trace()).contains(new TraceEntry.Narrowed("m", "tools", 1, 1));
    }

    @Proves({"routing.parameters.soft", "routing.parameters.RP-2"})
    @Test
    @DisplayName("RP-2 keep all endpoints when none supports tools")
    void rp2() {
      var plan =
          plan(catalog(plain, endpointWith("other", NO_TOOLS)), queryFor("m").parameters(asked));
      assertThat(tried(plan)).hasSize(2);
      assertThat(plan.trace()).doesNotHaveAnyElementsOfTypes(TraceEntry.Narrowed.class);
    }

    @Proves("routing.parameters.soft")
    @Test
    @DisplayName("never cross models: a model without tools stays behind one with them")
    void perModel() {
      Endpoint other = endpointBuilder("plain", "n").parameters(NO_TOOLS).build();
      assertThat(tried(catalog(tools, plain, other), queryFor("m", "n").parameters(asked)))
          .containsExactly("tools", "plain");
    }

    @Test
    @DisplayName(
        "consider only endpoints that the rules left, so an ignored supporter sets none aside")
    void afterTheRules() {
      var query =
          queryFor("m")
              .parameters(asked)
              .preferences(preferences().ignore(List.of("tools")).build());
      assertThat(tried(catalog(tools, plain), query)).containsExactly("plain");
    }

    @Test
    @DisplayName(
        "that no endpoint supports together keep the supporters of the earlier one: tools, then"
            + " format")
    void neverEmpty() {
      Endpoint format = endpointWith("format", Parameter.RESPONSE_FORMAT.bit());
      Endpoint toolsOnly = endpointWith("tools", Parameter.TOOLS.bit());
      long both = Parameter.TOOLS.bit() | Parameter.RESPONSE_FORMAT.bit();
      assertThat(tried(catalog(format, toolsOnly), queryFor("m").parameters(both)))
          .containsExactly("tools");
    }

    @Proves("routing.parameters.soft")
    @Test
    @DisplayName("include structured outputs, response formats and verbosity, and nothing else")
    void which() {
      for (Parameter parameter : Parameter.values()) {
        var plan =
            plan(
                catalog(
                    endpointWith("all", Parameter.ALL),
                    endpointWith("less", Parameter.ALL & ~parameter.bit())),
                queryFor("m").parameters(parameter.bit()));
        boolean soft =
            switch (parameter) {
              case TOOLS, STRUCTURED_OUTPUTS, RESPONSE_FORMAT, VERBOSITY -> true;
              default -> false;
            };
        assertThat(tried(plan)).as(parameter.wireName()).hasSize(soft ? 1 : 2);
      }
    }
  }
}
