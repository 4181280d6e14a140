package io.strowger.host.catalog;

import static io.strowger.host.catalog.ImportJson.catalog;
import static io.strowger.host.catalog.ImportJson.endpoint;
import static io.strowger.host.catalog.ImportJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An import from a listing")
class ListingReaderTest {
  private final ImportResult imported =
      CatalogImport.LISTING.read(
          json(
              """
              {'data': [
                {'id': 'Acme/Large-2', 'name': 'Large 2', 'created': 1777593600,
                 'architecture': {'input_modalities': ['text', 'image', 'smell'], 'output_modalities': ['text']},
                 'reasoning': {'mandatory': true, 'supported_efforts': ['high', 'low'], 'supports_max_tokens': false},
                 'endpoints': [
                   {'tag': 'alpha/fp8', 'provider_name': 'Alpha', 'quantization': 'fp8',
                    'context_length': 128000, 'max_completion_tokens': 4096,
                    'supported_parameters': ['tools', 'temperature', 'telepathy'],
                    'pricing': {'prompt': '0.000003', 'completion': '0.000015', 'audio': '0.00001',
                                'request': '0.001', 'discount': 0,
                                'overrides': [{'min_prompt_tokens': 200000, 'prompt': '0.000006'},
                                              {'utc_start': 1630, 'utc_end': '00:30', 'prompt': '0.000001'},
                                              {'prompt': '0'}, {'min_prompt_tokens': 5}]}},
                   {'tag': 'alpha/priority', 'provider_name': 'Alpha', 'quantization': null,
                    'pricing': {'prompt': '1', 'completion': '1'}},
                   {'provider_name': 'Beta Cloud', 'pricing': {'prompt': '0', 'completion': '0'}},
                   {'provider_name': 'Beta Cloud', 'pricing': {'prompt': '0', 'completion': '0'}},
                   {'provider_name': 'Gamma', 'pricing': {'prompt': '-1', 'completion': '-1'}},
                   {'pricing': {'prompt': '1', 'completion': '1'}}]},
                {'id': 'acme/none', 'endpoints': []}, {'endpoints': []}]}
              """),
          ImportOptions.ALL);

  @Test
  @DisplayName("keeps the tags of endpoints and makes unique ones where a tag is missing")
  void tags() {
    assertThat(catalog(imported).endpoints())
        .extracting(Endpoint::id)
        .containsExactly(
            "acme/large-2@beta-cloud",
            "acme/large-2@beta-cloud-2",
            "acme/large-2@alpha/fp8",
            "acme/large-2@alpha/priority");
    assertThat(endpoint(imported, "acme/large-2@alpha/priority").serviceTier())
        .isEqualTo("priority");
    assertThat(imported.summary().skipped())
        .containsOnly(
            Map.entry("without a fixed price", 1),
            Map.entry("without a provider", 1),
            Map.entry("a model without endpoints", 1),
            Map.entry("a model without an id", 1));
  }

  @Test
  @DisplayName("takes prices and their overrides")
  void prices() {
    var pricing = endpoint(imported, "acme/large-2@alpha/fp8").pricing();
    assertThat(pricing.picos(Price.PROMPT)).isEqualTo(3_000_000);
    assertThat(pricing.picos(Price.REQUEST)).isEqualTo(1_000_000_000);
    assertThat(pricing.picos(Price.INPUT_AUDIO)).isEqualTo(10_000_000);
    assertThat(pricing.overrides()).hasSize(2);
    assertThat(pricing.overrides().get(0).minPromptTokens()).isEqualTo(200_000L);
    assertThat(pricing.overrides().get(1).utcStart()).isEqualTo(1630);
    assertThat(pricing.overrides().get(1).utcEnd()).isEqualTo(30);
  }

  @Test
  @DisplayName(
      "takes limits and abilities, and ignores parameters and modalities that it does not know")
  void abilities() {
    Endpoint endpoint = endpoint(imported, "acme/large-2@alpha/fp8");
    assertThat(endpoint.upstreamModel()).isEqualTo("Acme/Large-2");
    assertThat(endpoint.contextLength()).isEqualTo(128_000);
    assertThat(endpoint.maxOutputTokens()).isEqualTo(4_096);
    assertThat(endpoint.quantization()).isEqualTo("fp8");
    assertThat(endpoint.parameterMask())
        .isEqualTo(Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.TOOLS)));
    assertThat(endpoint.inputModalities())
        .isEqualTo(Modality.mask(List.of(Modality.TEXT, Modality.IMAGE)));
    ModelInfo model = Objects.requireNonNull(catalog(imported).model("acme/large-2"));
    assertThat(model.name()).isEqualTo("Large 2");
    assertThat(model.createdAt()).isEqualTo(Instant.ofEpochSecond(1_777_593_600));
    assertThat(model.reasoning())
        .isEqualTo(new ModelInfo.Reasoning(true, List.of("low", "high"), false));
  }

  private static final String VENDOR_LISTING =
      """
      {'data': [
        {'id': 'meta/llama', 'endpoints': [
           {'tag': 'groq', 'pricing': {'prompt': '1', 'completion': '1'}},
           {'tag': 'google', 'pricing': {'prompt': '1', 'completion': '1'}}]},
        {'id': 'OpenAI/gpt-5.5', 'endpoints': [
           {'tag': 'openai/flex', 'pricing': {'prompt': '1', 'completion': '1'}},
           {'tag': 'groq', 'pricing': {'prompt': '1', 'completion': '1'}}]},
        {'id': 'x-ai/grok', 'endpoints': [
           {'tag': 'xai', 'pricing': {'prompt': '1', 'completion': '1'}}]},
        {'id': 'mistralai/large', 'endpoints': [
           {'provider_name': 'Mistral', 'pricing': {'prompt': '1', 'completion': '1'}}]},
        {'id': 'google/gemini', 'endpoints': [
           {'tag': 'google', 'pricing': {'prompt': '1', 'completion': '1'}}]}]}
      """;

  @Test
  @DisplayName("gives a vendor's own models the vendor's name for them, and the vendor's address")
  void ownModels() {
    ImportResult ready = CatalogImport.LISTING.read(json(VENDOR_LISTING));
    assertThat(catalog(ready).endpoints())
        .extracting(Endpoint::id, Endpoint::upstreamModel)
        .containsExactlyInAnyOrder(
            tuple("openai/gpt-5.5@openai/flex", "gpt-5.5"),
            tuple("x-ai/grok@xai", "grok"),
            tuple("mistralai/large@mistral", "large"),
            tuple("google/gemini@google", "gemini"));
    assertThat(ready.summary().placeholders()).isEmpty();
    assertThat(ready.summary().lines())
        .contains(
            "OPENAI_API_KEY -> api.openai.com",
            "skipped 1: of a vendor that has another name for the model than the listing",
            "skipped 2: of a provider without a known key or a usable address");
  }

  @Test
  @DisplayName(
      "keeps the listing's ids and a placeholder address where a provider serves another vendor's"
          + " models")
  void othersModels() {
    ImportResult all = CatalogImport.LISTING.read(json(VENDOR_LISTING), ImportOptions.ALL);
    assertThat(endpoint(all, "meta/llama@groq").upstreamModel()).isEqualTo("meta/llama");
    assertThat(endpoint(all, "openai/gpt-5.5@groq").upstreamModel()).isEqualTo("OpenAI/gpt-5.5");
    assertThat(all.summary().placeholders()).containsExactly("groq");
    assertThat(all.summary().requiredVariables()).doesNotContain("GROQ_API_KEY");
    assertThat(ImportJson.config(all).providers())
        .filteredOn(it -> it.slug().equals("groq"))
        .singleElement()
        .satisfies(it -> assertThat(it.baseUri()).hasToString("https://groq.invalid/v1"))
        .satisfies(it -> assertThat(it.credential().isEmpty()).isTrue());
  }

  @Test
  @DisplayName("takes a single model as well")
  void single() {
    var single =
        CatalogImport.LISTING.read(
            json(
                """
                {'data': {'id': 'm/x', 'endpoints': [
                   {'provider_name': 'P', 'pricing': {'prompt': '1', 'completion': '1'}}]}}
                """),
            ImportOptions.ALL);
    assertThat(catalog(single).models()).extracting(ModelInfo::id).containsExactly("m/x");
  }

  @ParameterizedTest
  @DisplayName("refuses a document of another form")
  @ValueSource(strings = {"[]", "{}", "{'data': 1}", "{'data': null}"})
  void somethingElse(String document) {
    assertThatThrownBy(() -> CatalogImport.LISTING.read(json(document)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a listing is an object with a list of models, or one model, as its data");
  }

  @Test
  @DisplayName("is one of three forms, each with its name on the command line")
  void cliNames() {
    assertThat(CatalogImport.cliNames()).containsExactly("models-dev", "litellm", "listing");
    assertThat(CatalogImport.cliNames())
        .allMatch(name -> CatalogImport.ofCliName(name).orElseThrow().cliName().equals(name));
    assertThat(CatalogImport.ofCliName("excel")).isEmpty();
  }
}
