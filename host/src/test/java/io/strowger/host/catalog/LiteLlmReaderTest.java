package io.strowger.host.catalog;

import static io.strowger.host.catalog.ImportJson.catalog;
import static io.strowger.host.catalog.ImportJson.endpoint;
import static io.strowger.host.catalog.ImportJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An import from litellm")
class LiteLlmReaderTest {
  private final ImportResult imported =
      CatalogImport.LITELLM.read(
          json(
              """
              {'sample_spec': {'mode': 'one of chat, ...', 'litellm_provider': 'one of'},
               'large-2': {'litellm_provider': 'acme', 'mode': 'chat', 'max_tokens': 64000,
                 'max_input_tokens': 200000, 'max_output_tokens': 64000,
                 'input_cost_per_token': 3e-06, 'output_cost_per_token': 1.5e-05,
                 'cache_creation_input_token_cost': 3.75e-06, 'cache_read_input_token_cost': 3e-07,
                 'cache_creation_input_token_cost_above_1hr': 6e-06,
                 'input_cost_per_token_above_200k_tokens': 6e-06,
                 'output_cost_per_token_above_200k_tokens': 2.25e-05,
                 'supports_function_calling': true, 'supports_response_schema': true,
                 'supports_reasoning': true, 'supports_vision': true, 'supports_pdf_input': true},
               'beta_ai/acme/large-2': {'litellm_provider': 'beta_ai', 'mode': 'completion',
                 'max_tokens': 1000, 'input_cost_per_token': 1.5e-13, 'output_cost_per_token': 0,
                 'supported_openai_params': ['temperature', 'tools', 'user']},
               'beta_ai/small': {'litellm_provider': 'beta_ai', 'mode': 'chat',
                 'input_cost_per_token': 1, 'output_cost_per_token': 2},
               'small': {'litellm_provider': 'beta_ai', 'mode': 'chat',
                 'input_cost_per_token': 1, 'output_cost_per_token': 2},
               'embed': {'litellm_provider': 'acme', 'mode': 'embedding', 'input_cost_per_token': 1e-7,
                 'max_input_tokens': 8192},
               'speak': {'litellm_provider': 'acme', 'mode': 'audio_speech',
                 'input_cost_per_character': 1.5e-05},
               'paint': {'litellm_provider': 'acme', 'mode': 'image_generation'},
               'half': {'litellm_provider': 'acme', 'mode': 'chat', 'input_cost_per_token': 1},
               'nobody': {'mode': 'chat'}, 'odd': []}
              """),
          ImportOptions.ALL);

  @Test
  @DisplayName("groups endpoints into models by author/name, otherwise by the provider's own name")
  void grouping() {
    assertThat(catalog(imported).endpoints())
        .extracting(Endpoint::id)
        .containsExactly(
            "acme/large-2@beta_ai",
            "acme/large-2@acme",
            "beta_ai/small@beta_ai",
            "acme/embed@acme",
            "acme/speak@acme");
    assertThat(imported.summary().skipped())
        .containsOnly(
            Map.entry("the same endpoint under another name", 1),
            Map.entry("neither chat, embeddings nor speech", 1),
            Map.entry("without a price", 1),
            Map.entry("without a provider", 1),
            Map.entry("not an object", 1));
  }

  @Test
  @DisplayName("takes prices per token, caches and long prompts included")
  void prices() {
    var pricing = endpoint(imported, "acme/large-2@acme").pricing();
    assertThat(pricing.picos(Price.PROMPT)).isEqualTo(3_000_000);
    assertThat(pricing.picos(Price.COMPLETION)).isEqualTo(15_000_000);
    assertThat(pricing.picos(Price.INPUT_CACHE_READ)).isEqualTo(300_000);
    assertThat(pricing.picos(Price.INPUT_CACHE_WRITE)).isEqualTo(3_750_000);
    assertThat(pricing.picos(Price.INPUT_CACHE_WRITE_1H)).isEqualTo(6_000_000);
    var dearer = pricing.effective(200_001, Instant.EPOCH);
    assertThat(dearer.picos(Price.PROMPT)).isEqualTo(6_000_000);
    assertThat(dearer.picos(Price.COMPLETION)).isEqualTo(22_500_000);
    assertThat(endpoint(imported, "acme/large-2@beta_ai").pricing().picos(Price.PROMPT)).isZero();
    assertThat(endpoint(imported, "acme/speak@acme").pricing().picos(Price.CHARACTERS))
        .isEqualTo(15_000_000);
  }

  @Test
  @DisplayName("takes limits, kinds, modalities and abilities")
  void abilities() {
    Endpoint large = endpoint(imported, "acme/large-2@acme");
    assertThat(large.contextLength()).isEqualTo(200_000);
    assertThat(large.maxOutputTokens()).isEqualTo(64_000);
    assertThat(large.inputModalities())
        .isEqualTo(Modality.mask(List.of(Modality.TEXT, Modality.IMAGE, Modality.FILE)));
    assertThat(large.supports(Parameter.TOOL_CHOICE)).isTrue();
    assertThat(large.supports(Parameter.STRUCTURED_OUTPUTS)).isTrue();
    assertThat(large.supports(Parameter.SEED)).isFalse();
    Endpoint other = endpoint(imported, "acme/large-2@beta_ai");
    assertThat(other.upstreamModel()).isEqualTo("acme/large-2");
    assertThat(other.contextLength()).isEqualTo(1_000);
    assertThat(other.parameterMask())
        .isEqualTo(Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.TOOLS)));
    assertThat(endpoint(imported, "acme/embed@acme").kind()).isEqualTo(Endpoint.Kind.EMBEDDINGS);
    Endpoint speech = endpoint(imported, "acme/speak@acme");
    assertThat(speech.kind()).isEqualTo(Endpoint.Kind.SPEECH);
    assertThat(speech.outputModalities()).isEqualTo(Modality.AUDIO.bit());
  }

  @Test
  @DisplayName(
      "has a placeholder for every URL, with a valid host name even if the slug is not one")
  void urls() {
    assertThat(ImportJson.config(imported).providers())
        .extracting(it -> it.baseUri().toString())
        .containsExactly("https://acme.invalid/v1", "https://beta-ai.invalid/v1");
    assertThat(imported.summary().placeholders()).containsExactly("acme", "beta_ai");
  }

  @Test
  @DisplayName("refuses a document of another form")
  void somethingElse() {
    assertThatThrownBy(() -> CatalogImport.LITELLM.read(json("7")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a litellm price map is an object of models, was number");
  }
}
