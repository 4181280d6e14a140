package io.strowger.core.plan;

import static io.strowger.core.plan.PlanWords.ask;
import static io.strowger.core.plan.PlanWords.at;
import static io.strowger.core.plan.PlanWords.catalog;
import static io.strowger.core.plan.PlanWords.excluded;
import static io.strowger.core.plan.PlanWords.perMillion;
import static io.strowger.core.plan.PlanWords.plan;
import static io.strowger.core.plan.PlanWords.prefer;
import static io.strowger.core.plan.PlanWords.refused;
import static io.strowger.core.plan.PlanWords.tried;
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

@DisplayName("A plan holds only endpoints that fit the request:")
class FittingEndpointsTest {
  private static final long NO_TOOLS = Parameter.ALL & ~Parameter.TOOLS.bit();

  private static Endpoint with(String tag, long parameters) {
    return at(tag, "m").pricing(perMillion("1", "1")).parameters(parameters).build();
  }

  @Nested
  @DisplayName("max_tokens")
  class MaxTokens {
    private final Endpoint short_ = at("short", "m").maxOutputTokens(1000).build();
    private final Endpoint unknown = at("unknown", "m").build();

    @Test
    @DisplayName("is not looked at when the caller sets no limit")
    void noLimit() {
      assertThat(tried(catalog(short_, unknown), ask("m"))).hasSize(2);
    }

    @Test
    @DisplayName("keeps who can write just as many, and who does not say")
    void atTheBound() {
      for (int limit : new int[] {1, 999, 1000}) {
        assertThat(tried(catalog(short_, unknown), ask("m").outputLimit(limit))).hasSize(2);
      }
    }

    @Proves("routing.candidates.4")
    @Test
    @DisplayName("drops who cannot write one token more, and says so")
    void overTheBound() {
      var plan = plan(catalog(short_, unknown), ask("m").outputLimit(1001));
      assertThat(tried(plan)).containsExactly("unknown");
      assertThat(plan.trace())
          .contains(
              excluded("m@short", "max_tokens", "writes at most 1000 tokens, 1001 were asked for"));
    }

    @Test
    @DisplayName("is 404 constraint_filtered when nobody is left")
    void nobody() {
      var error = refused(catalog(short_), ask("m").outputLimit(1001)).error();
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
    private final Endpoint text = at("text", "m").build();
    private final Endpoint images =
        at("images", "m")
            .inputModalities(Modality.mask(List.of(Modality.TEXT, Modality.IMAGE)))
            .build();

    @Test
    @DisplayName("drop who cannot read everything in the prompt, naming what")
    void dropped() {
      int prompt = Modality.mask(List.of(Modality.TEXT, Modality.IMAGE));
      var plan = plan(catalog(text, images), ask("m").inputModalities(prompt));
      assertThat(tried(plan)).containsExactly("images");
      assertThat(plan.trace())
          .contains(excluded("m@text", "input_modalities", "does not read image"));
    }

    @Test
    @DisplayName("are 404 constraint_filtered when nobody reads them")
    void nobody() {
      int prompt = Modality.mask(List.of(Modality.IMAGE, Modality.AUDIO, Modality.FILE));
      var error = refused(catalog(text, images), ask("m").inputModalities(prompt)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.CONSTRAINT_FILTERED);
      assertThat(error.message()).contains("does not read image, audio, file");
    }

    @Test
    @DisplayName("of no kind are no constraint")
    void none() {
      assertThat(tried(catalog(text, images), ask("m").inputModalities(0))).hasSize(2);
    }
  }

  @Nested
  @DisplayName("the kind of request")
  class Kind {
    private final Endpoint chat = at("chat", "m").build();
    private final Endpoint speech = at("speech", "m").kind(Endpoint.Kind.SPEECH).build();

    @Test
    @DisplayName("decides between the endpoints of a model")
    void kinds() {
      var both = catalog(chat, speech);
      assertThat(tried(both, ask("m"))).containsExactly("chat");
      assertThat(tried(both, ask("m").kind(Endpoint.Kind.SPEECH))).containsExactly("speech");
    }

    @Proves("resources.error.availability.400")
    @Test
    @DisplayName("is 400 wrong_endpoint when the model serves only others")
    void wrongEndpoint() {
      var error = refused(catalog(speech), ask("m").kind(Endpoint.Kind.EMBEDDINGS)).error();
      assertThat(error.code()).isEqualTo(ErrorCode.WRONG_ENDPOINT);
      assertThat(error.message()).contains("serves speech, not embeddings");
      assertThat(error.availability().text("code")).isEqualTo("wrong_endpoint");
    }
  }

  @Nested
  @DisplayName("speech")
  class Speech {
    private final Endpoint plain = at("plain", "m").kind(Endpoint.Kind.SPEECH).build();
    private final Endpoint samples =
        at("samples", "m")
            .kind(Endpoint.Kind.SPEECH)
            .multiSpeaker(true)
            .audioFormats(List.of("pcm"))
            .build();

    private static RoutingQuery.Builder speaking(boolean multiSpeaker, String format) {
      return ask("m")
          .kind(Endpoint.Kind.SPEECH)
          .speech(new SpeechRequirements(5, multiSpeaker, format));
    }

    @Test
    @DisplayName("of turns needs an endpoint that speaks with several voices")
    void turns() {
      assertThat(tried(catalog(plain, samples), speaking(false, "pcm"))).hasSize(2);
      var plan = plan(catalog(plain, samples), speaking(true, "pcm"));
      assertThat(tried(plan)).containsExactly("samples");
      assertThat(plan.trace())
          .contains(excluded("m@plain", "multi_speaker", "speaks a text of one speaker only"));
    }

    @Test
    @DisplayName("needs an endpoint that makes the format")
    void formats() {
      assertThat(tried(catalog(plain, samples), speaking(false, "mp3"))).containsExactly("plain");
      var error = refused(catalog(samples), speaking(true, "mp3")).error();
      assertThat(error.code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
      assertThat(error.message()).contains("produces audio as pcm");
    }
  }

  @Nested
  @DisplayName("soft parameters")
  class Soft {
    private final Endpoint tools = with("tools", Parameter.ALL);
    private final Endpoint plain = with("plain", NO_TOOLS);
    private final long asked = Parameter.TOOLS.bit();

    @Proves({"routing.candidates.4", "routing.parameters.soft", "routing.parameters.RP-1"})
    @Test
    @DisplayName("RP-1 use only who supports tools when somebody does")
    void rp1() {
      var plan = plan(catalog(tools, plain), ask("m").parameters(asked));
      assertThat(tried(plan)).containsExactly("tools");
      assertThat(plan.trace()).contains(new TraceEntry.Narrowed("m", "tools", 1, 1));
    }

    @Proves({"routing.parameters.soft", "routing.parameters.RP-2"})
    @Test
    @DisplayName("RP-2 keep everybody when nobody supports tools")
    void rp2() {
      var plan = plan(catalog(plain, with("other", NO_TOOLS)), ask("m").parameters(asked));
      assertThat(tried(plan)).hasSize(2);
      assertThat(plan.trace()).doesNotHaveAnyElementsOfTypes(TraceEntry.Narrowed.class);
    }

    @Proves("routing.parameters.soft")
    @Test
    @DisplayName("never cross models: a model without tools stays behind one with them")
    void perModel() {
      Endpoint other = at("plain", "n").parameters(NO_TOOLS).build();
      assertThat(tried(catalog(tools, plain, other), ask("m", "n").parameters(asked)))
          .containsExactly("tools", "plain");
    }

    @Test
    @DisplayName("judge by who the rules left, so an ignored supporter sets nobody aside")
    void afterTheRules() {
      var query = ask("m").parameters(asked).preferences(prefer().ignore(List.of("tools")).build());
      assertThat(tried(catalog(tools, plain), query)).containsExactly("plain");
    }

    @Test
    @DisplayName("that exclude each other leave the earlier one's supporters: tools, then format")
    void neverEmpty() {
      Endpoint format = with("format", Parameter.RESPONSE_FORMAT.bit());
      Endpoint toolsOnly = with("tools", Parameter.TOOLS.bit());
      long both = Parameter.TOOLS.bit() | Parameter.RESPONSE_FORMAT.bit();
      assertThat(tried(catalog(format, toolsOnly), ask("m").parameters(both)))
          .containsExactly("tools");
    }

    @Proves("routing.parameters.soft")
    @Test
    @DisplayName("include structured outputs, response formats and verbosity, and nothing else")
    void which() {
      for (Parameter parameter : Parameter.values()) {
        var plan =
            plan(
                catalog(with("all", Parameter.ALL), with("less", Parameter.ALL & ~parameter.bit())),
                ask("m").parameters(parameter.bit()));
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
