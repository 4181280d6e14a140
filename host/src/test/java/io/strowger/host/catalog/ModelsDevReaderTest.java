package io.strowger.host.catalog;

import static io.strowger.host.catalog.ImportJson.catalog;
import static io.strowger.host.catalog.ImportJson.config;
import static io.strowger.host.catalog.ImportJson.endpoint;
import static io.strowger.host.catalog.ImportJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.strowger.core.config.ProviderConfig;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An import from models-dev")
class ModelsDevReaderTest {
  private static final Json SAMPLE =
      json(
          """
          {'acme': {'id': 'acme', 'name': 'Acme Inc', 'env': ['ACME_KEY', 'OTHER'],
             'api': 'https://api.acme.test/v1', 'models': {
               'large-2': {'id': 'large-2', 'name': 'Large 2', 'base_model': 'acme/large-2',
                 'family': 'large', 'release_date': '2026-05', 'reasoning': true,
                 'reasoning_options': [{'type': 'effort', 'values': ['high', 'low', 'ultra']},
                                       {'type': 'budget_tokens', 'min': 1}],
                 'temperature': false, 'tool_call': true, 'structured_output': true,
                 'cost': {'input': 3, 'output': 15.0, 'cached_input': 0.3, 'cache_write': 3.75,
                          'reasoning': 16, 'input_audio': 0.1, 'request': 5,
                          'tiers': [{'tier': {'size': 400000}, 'input': 9},
                                    {'tier': {'type': 'context', 'size': 200000}, 'input': 6, 'output': 22.5}]},
                 'limit': {'context': 200000, 'output': 64000},
                 'modalities': {'input': ['text', 'image', 'pdf'], 'output': ['text']}},
               'old': {'id': 'old', 'cost': {'input': 1, 'output': 1}, 'status': 'deprecated'},
               'unpriced': {'id': 'unpriced'}, 'half': {'id': 'half', 'cost': {'input': 1}},
               'odd': 7}},
           'Beta Cloud': {'id': 'beta', 'name': 'Beta', 'env': [], 'api': 'https://${HOST}/v1',
             'models': {
               'a': {'id': 'large-2', 'name': 'worse', 'base_model': 'acme/large-2',
                 'cost': {'input': 0.0000001, 'output': 0}, 'limit': {'context': 0, 'output': 0}},
               'b': {'id': 'eu/Large-2@fast', 'base_model': 'acme/large-2',
                 'cost': {'input': 1, 'output': 2, 'context_over_200k': {'input': 2}}},
               'c': {'id': 'Acme/Small', 'cost': {'input': 1, 'output': 2}},
               'f': {'id': '@eu/tiny', 'cost': {'input': 1, 'output': 2}},
               'd': {'id': 'own:free', 'cost': {'input': 0, 'output': 0}},
               'e': {'id': '~acme/large-latest', 'cost': {'input': 1, 'output': 1}}}},
           'gamma': {'id': 'gamma'}}
          """);

  private final ImportResult imported = CatalogImport.MODELS_DEV.read(SAMPLE, ImportOptions.ALL);

  @Test
  @DisplayName(
      "groups endpoints into models by base model, then author/name, then the provider's own name")
  void grouping() {
    assertThat(catalog(imported).models())
        .extracting(ModelInfo::id)
        .containsExactly("acme/large-2", "acme/small", "beta-cloud/eu/tiny", "beta-cloud/own:free");
    assertThat(catalog(imported).endpoints())
        .extracting(Endpoint::id)
        .containsExactlyInAnyOrder(
            "acme/large-2@acme",
            "acme/large-2@beta-cloud/large-2",
            "acme/large-2@beta-cloud/large-2-fast",
            "acme/small@beta-cloud",
            "beta-cloud/eu/tiny@beta-cloud",
            "beta-cloud/own:free@beta-cloud");
  }

  @Test
  @DisplayName("counts the entries that it leaves out, by reason")
  void skipped() {
    var summary = imported.summary();
    assertThat(summary.endpoints()).isEqualTo(6);
    assertThat(summary.models()).isEqualTo(4);
    assertThat(summary.providers()).isEqualTo(2);
    assertThat(summary.skipped())
        .containsOnly(
            Map.entry("deprecated", 1),
            Map.entry("without a price", 2),
            Map.entry("not an object", 1),
            Map.entry("a provider without models", 1),
            Map.entry("its name means something else in a request", 1));
    assertThat(summary.totalSkipped()).isEqualTo(6);
    assertThat(summary.lines())
        .contains(
            "4 models, 6 endpoints of 2 providers",
            "skipped 1: deprecated",
            "of 1 base model that entries name, 1 have endpoints");
  }

  @Test
  @DisplayName("takes prices per million tokens as prices per token, long prompts included")
  void prices() {
    var pricing = endpoint(imported, "acme/large-2@acme").pricing();
    assertThat(pricing.picos(Price.PROMPT)).isEqualTo(3_000_000);
    assertThat(pricing.picos(Price.COMPLETION)).isEqualTo(15_000_000);
    assertThat(pricing.picos(Price.INPUT_CACHE_READ)).isEqualTo(300_000);
    assertThat(pricing.picos(Price.INPUT_CACHE_WRITE)).isEqualTo(3_750_000);
    assertThat(pricing.picos(Price.INTERNAL_REASONING)).isEqualTo(16_000_000);
    assertThat(pricing.picos(Price.INPUT_AUDIO)).isEqualTo(100_000);
    assertThat(pricing.picos(Price.REQUEST)).isZero();
    Instant now = Instant.EPOCH;
    assertThat(pricing.effective(200_000, now).picos(Price.PROMPT)).isEqualTo(3_000_000);
    assertThat(pricing.effective(200_001, now).picos(Price.PROMPT)).isEqualTo(6_000_000);
    assertThat(pricing.effective(400_001, now).picos(Price.PROMPT)).isEqualTo(9_000_000);
    assertThat(pricing.effective(400_001, now).picos(Price.COMPLETION)).isEqualTo(22_500_000);
    assertThat(
            endpoint(imported, "acme/large-2@beta-cloud/large-2-fast")
                .pricing()
                .effective(200_001, now)
                .picos(Price.PROMPT))
        .isEqualTo(2_000_000);
  }

  @ParameterizedTest(name = "{0} per million -> {1}")
  @DisplayName("rounds to twelve decimals, half even")
  @CsvSource({
    "0.132, 0.000000132",
    "0.0000005, 0",
    "0.00000050001, 0.000000000001",
    "0.0000015, 0.000000000002",
    "0.0000025, 0.000000000002",
    "1e-999999999, 0",
    "1000000000000, 1000000"
  })
  void rounding(String perMillion, String perToken) {
    Json price = json(perMillion);
    assertThat(Prices.perToken(price)).isEqualTo(perToken);
  }

  @ParameterizedTest
  @DisplayName("has no price where the value is not a valid price")
  @CsvSource({"-1", "1000000000001", "1e999999999", "true", "'\"x\"'", "null", "[]"})
  void noPrice(String price) {
    assertThat(Prices.perToken(json(price))).isNull();
  }

  @Test
  @DisplayName("takes limits, modalities and abilities")
  void abilities() {
    Endpoint endpoint = endpoint(imported, "acme/large-2@acme");
    assertThat(endpoint.contextLength()).isEqualTo(200_000);
    assertThat(endpoint.maxOutputTokens()).isEqualTo(64_000);
    assertThat(endpoint.inputModalities())
        .isEqualTo(Modality.mask(List.of(Modality.TEXT, Modality.IMAGE, Modality.FILE)));
    assertThat(endpoint.parameterMask())
        .isEqualTo(
            Parameter.mask(
                List.of(
                    Parameter.MAX_TOKENS,
                    Parameter.MAX_COMPLETION_TOKENS,
                    Parameter.STOP,
                    Parameter.TOOLS,
                    Parameter.TOOL_CHOICE,
                    Parameter.RESPONSE_FORMAT,
                    Parameter.STRUCTURED_OUTPUTS,
                    Parameter.REASONING,
                    Parameter.INCLUDE_REASONING,
                    Parameter.REASONING_EFFORT)));
    Endpoint other = endpoint(imported, "acme/large-2@beta-cloud/large-2");
    assertThat(other.contextLength()).isZero();
    assertThat(other.supports(Parameter.TEMPERATURE)).isTrue();
    assertThat(other.supports(Parameter.TOOLS)).isFalse();
  }

  @Test
  @DisplayName("takes the facts of a model from the entry of the model's author")
  void facts() {
    ModelInfo model = Objects.requireNonNull(catalog(imported).model("acme/large-2"));
    assertThat(model.name()).isEqualTo("Large 2");
    assertThat(model.family()).isEqualTo("acme/large");
    assertThat(model.createdAt()).isEqualTo(Instant.parse("2026-05-01T00:00:00Z"));
    assertThat(model.reasoning())
        .isEqualTo(new ModelInfo.Reasoning(false, List.of("low", "high"), true));
  }

  @Test
  @DisplayName("keeps usable URLs, and reports placeholders and the variables of keys")
  void providers() {
    var providers = config(imported).providers();
    assertThat(providers)
        .extracting(ProviderConfig::slug, it -> it.baseUri().toString())
        .containsExactly(
            tuple("acme", "https://api.acme.test/v1"),
            tuple("beta-cloud", "https://beta-cloud.invalid/v1"));
    assertThat(providers).allMatch(it -> it.credential().isEmpty());
    assertThat(imported.summary().placeholders()).containsExactly("beta-cloud");
    assertThat(imported.summary().keyVariables()).containsExactly(Map.entry("acme", "ACME_KEY"));
  }

  @Test
  @DisplayName("keeps the provider's own name of the model")
  void upstreamModel() {
    assertThat(endpoint(imported, "acme/large-2@beta-cloud/large-2-fast").upstreamModel())
        .isEqualTo("eu/Large-2@fast");
  }

  @Test
  @DisplayName("recognises embedding and rerank models by their names")
  void kinds() {
    var models = new StringBuilder();
    for (String name :
        List.of(
            "mistral-embed", "text-embedding-ada-002", "Qwen3-Embedding-8B", "embedded-coder")) {
      models.append("'%s': {'cost': {'input': 1, 'output': 0}},".formatted(name));
    }
    ImportResult read =
        CatalogImport.MODELS_DEV.read(
            json(
                "{'a': {'models': {"
                    + models
                    + "'bge-reranker-v2': {'cost': {'input': 1, 'output': 0}}}}}"),
            ImportOptions.ALL);
    assertThat(catalog(read).endpoints())
        .extracting(Endpoint::upstreamModel, Endpoint::kind)
        .containsExactlyInAnyOrder(
            tuple("mistral-embed", Endpoint.Kind.EMBEDDINGS),
            tuple("text-embedding-ada-002", Endpoint.Kind.EMBEDDINGS),
            tuple("Qwen3-Embedding-8B", Endpoint.Kind.EMBEDDINGS),
            tuple("embedded-coder", Endpoint.Kind.CHAT));
    assertThat(read.summary().skipped())
        .containsEntry("a rerank model, which this import does not support", 1);
  }

  @Test
  @DisplayName("refuses a document of another form")
  void somethingElse() {
    assertThatThrownBy(() -> CatalogImport.MODELS_DEV.read(json("[]")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a models-dev catalog is an object of providers, was array");
  }

  @Test
  @DisplayName("of the whole public list is a configuration without problems")
  void wholeList() throws IOException {
    String file = System.getProperty("strowger.catalog", "");
    if (file.isEmpty()) {
      System.out.println("skipped: no public price list; give one with -Dstrowger.catalog=FILE");
    }
    assumeTrue(!file.isEmpty(), "no -Dstrowger.catalog");
    Json document = ImportJson.parsed(Files.readAllBytes(Path.of(file)));
    ImportResult whole = CatalogImport.MODELS_DEV.read(document, ImportOptions.ALL);
    var catalog = catalog(whole);
    var summary = whole.summary();
    System.out.println(String.join(System.lineSeparator(), summary.lines()));
    assertThat(catalog.endpoints()).hasSize(summary.endpoints()).hasSizeBetween(4_000, 6_000);
    assertThat(catalog.models()).hasSize(summary.models());
    assertThat(catalog.providers()).hasSize(summary.providers());
    assertThat(summary.endpoints() + summary.totalSkipped()).isEqualTo(countEntries(document));
    assertThat(summary.notes())
        .singleElement()
        .asString()
        .matches("of 2[0-9]{2} base models that entries name, 2[0-9]{2} have endpoints");
    assertThat(catalog.endpoints()).allMatch(it -> it.pricing().picos(Price.PROMPT) >= 0);
    assertThat(summary.withoutVariable())
        .contains("amazon-bedrock", "google-vertex")
        .doesNotContain("azure", "databricks", "google");
    assertThat(summary.keyVariables())
        .containsEntry("azure", "AZURE_API_KEY")
        .containsEntry("databricks", "DATABRICKS_TOKEN")
        .containsEntry("cloudflare-workers-ai", "CLOUDFLARE_API_KEY")
        .containsEntry("neon", "NEON_AI_GATEWAY_TOKEN")
        .containsEntry("google", "GEMINI_API_KEY");
  }

  @Test
  @DisplayName("of the public list has by default only providers with a key and a real address")
  void readyProviders() throws IOException {
    String file = System.getProperty("strowger.catalog", "");
    assumeTrue(!file.isEmpty(), "no -Dstrowger.catalog");
    Json document = ImportJson.parsed(Files.readAllBytes(Path.of(file)));
    ImportResult ready = CatalogImport.MODELS_DEV.read(document);
    System.out.println(String.join(System.lineSeparator(), ready.summary().lines()));
    assertThat(config(ready).providers())
        .hasSizeGreaterThan(15)
        .noneMatch(it -> it.credential().isEmpty())
        .noneMatch(it -> it.baseUri().getHost().endsWith(".invalid"));
    assertThat(ready.summary().notReady()).isGreaterThan(50);
    assertThat(ready.summary().endpoints() + ready.summary().totalSkipped())
        .isEqualTo(countEntries(document));
  }

  private static int countEntries(Json document) {
    int entries = 0;
    Json.Obj tree = (Json.Obj) document;
    for (int i = 0; i < tree.size(); i++) {
      entries += Objects.requireNonNull(((Json.Obj) tree.value(i)).object("models")).size();
    }
    return entries;
  }
}
