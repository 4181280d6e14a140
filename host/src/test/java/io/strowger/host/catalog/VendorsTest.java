package io.strowger.host.catalog;

import static io.strowger.host.catalog.ImportJson.config;
import static io.strowger.host.catalog.ImportJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.strowger.core.config.ProviderConfig;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An import")
class VendorsTest {
  private static final Json LIST =
      json(
          """
          {'anthropic': {'env': ['ANTHROPIC_API_KEY'], 'models': {
             'claude': {'base_model': 'anthropic/claude', 'cost': {'input': 3, 'output': 15}}}},
           'google': {'env': ['GOOGLE_API_KEY', 'GEMINI_API_KEY'], 'models': {
             'gemini': {'cost': {'input': 1, 'output': 2}}}},
           'openai': {'env': ['OPENAI_API_KEY'], 'models': {'gpt': {'cost': {'input': 1, 'output': 2}}}},
           'acme': {'env': ['ACME_KEY'], 'api': 'https://acme.test/v1/chat/completions', 'models': {
             'gpt': {'cost': {'input': 1, 'output': 2}},
             'cheap': {'base_model': 'anthropic/claude', 'cost': {'input': 0, 'output': 0}}}},
           'like-anthropic': {'api': 'https://like.test/anthropic/v1', 'models': {
             'large': {'cost': {'input': 1, 'output': 2}}}},
           'acme-coding-plan': {'api': 'https://acme.test/coding/v1', 'models': {
             'gpt': {'cost': {'input': 1, 'output': 2}}}},
           'github-copilot': {'api': 'https://copilot.test', 'models': {
             'gpt': {'cost': {'input': 1, 'output': 2}}}},
           'flat': {'name': 'Flat', 'api': 'https://flat.test/v1', 'models': {
             'a': {'cost': {'input': 0, 'output': 0}}, 'b': {'cost': {'input': 0, 'output': 0.0}}}}}
          """);

  private static ImportResult read(boolean plans, String... only) {
    return CatalogImport.MODELS_DEV.read(LIST, new ImportOptions(Set.of(only), plans, true));
  }

  private static List<String> slugs(ImportResult imported) {
    return config(imported).providers().stream().map(ProviderConfig::slug).toList();
  }

  @Test
  @DisplayName("knows protocol, address and key of well-known vendors, and the protocol of others")
  void vendors() {
    ImportResult imported = read(false);
    assertThat(config(imported).providers())
        .extracting(
            ProviderConfig::slug,
            ProviderConfig::protocol,
            it -> it.baseUri().toString(),
            it -> it.credential().isEmpty() ? "" : it.credential().reveal())
        .containsExactly(
            tuple(
                "anthropic",
                "anthropic-messages",
                "https://api.anthropic.com/v1",
                "key-of-ANTHROPIC_API_KEY"),
            tuple(
                "google",
                "gemini",
                "https://generativelanguage.googleapis.com/v1beta",
                "key-of-GEMINI_API_KEY"),
            tuple("openai", "openai-chat", "https://api.openai.com/v1", "key-of-OPENAI_API_KEY"),
            tuple("acme", "openai-chat", "https://acme.test/v1", ""),
            tuple("like-anthropic", "anthropic-messages", "https://like.test/anthropic/v1", ""));
    assertThat(imported.config().toString()).contains("\"api_key\":\"${OPENAI_API_KEY}\"");
    assertThat(imported.summary().lines())
        .contains(
            "set these environment variables where the configuration is used: ANTHROPIC_API_KEY,"
                + " GEMINI_API_KEY, OPENAI_API_KEY",
            "GEMINI_API_KEY -> generativelanguage.googleapis.com",
            "api_key is left out for 1 provider that --only does not name",
            "api_key is left out for 1 provider without a single known key variable:"
                + " like-anthropic",
            "skipped 4: of a provider that is paid by subscription");
  }

  @Test
  @DisplayName("takes the providers that were asked for and no others, each with its key")
  void only() {
    ImportResult imported = read(false, "acme", "acme-coding-plan");
    assertThat(slugs(imported)).containsExactly("acme", "acme-coding-plan");
    assertThat(imported.config().toString()).contains("\"api_key\":\"${ACME_KEY}\"");
    assertThat(imported.summary().requiredVariables()).containsExactly("ACME_KEY");
    assertThat(imported.summary().skipped())
        .isEqualTo(Map.of("of a provider that was not asked for", 7));
    assertThatThrownBy(() -> read(false, "acme", "acne", "zed"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the list has no provider acne, zed");
  }

  @Test
  @DisplayName("never sends a well-known vendor's key to an address that a list gives")
  void misdirected() {
    Json list =
        json(
            """
            {'openai': {'env': ['OTHER_KEY'], 'api': 'https://thief.test/v1', 'models': {
               'gpt': {'cost': {'input': 1, 'output': 2}}}},
             'thief': {'env': ['OPENAI_API_KEY'], 'api': 'https://thief.test:8443/v1', 'models': {
               'gpt': {'cost': {'input': 1, 'output': 2}}}}}
            """);
    for (var options : List.of(ImportOptions.DEFAULT, ImportOptions.ALL)) {
      ImportResult imported = CatalogImport.MODELS_DEV.read(list, options);
      assertThat(config(imported).providers())
          .filteredOn(it -> !it.credential().isEmpty())
          .extracting(ProviderConfig::slug, it -> it.baseUri().toString())
          .containsExactly(tuple("openai", "https://api.openai.com/v1"));
      assertThat(imported.summary().lines())
          .contains("OPENAI_API_KEY -> api.openai.com")
          .noneMatch(line -> line.contains("thief.test"));
    }
    var bothNamed = new ImportOptions(Set.of("openai", "thief"), false, false);
    assertThat(CatalogImport.MODELS_DEV.read(list, bothNamed).summary().lines())
        .contains("OPENAI_API_KEY -> api.openai.com", "OPENAI_API_KEY -> thief.test:8443");
  }

  @Test
  @DisplayName("does not let a name in a list refer to an environment variable")
  void references() {
    ImportResult tree =
        CatalogImport.MODELS_DEV.read(
            json(
                """
                {'thief': {'name': 'T ${OPENAI_API_KEY}', 'api': 'https://thief.test/v1', 'models': {
                   'a': {'id': '${OPENAI_API_KEY}', 'cost': {'input': 1, 'output': 2}},
                   '${OPENAI_API_KEY}': {'cost': {'input': 1, 'output': 2}},
                   'b': {'base_model': 'x/${OPENAI_API_KEY}', 'cost': {'input': 1, 'output': 2}},
                   'c': {'name': '${OPENAI_API_KEY}', 'cost': {'input': 1, 'output': 2}}}}}
                """),
            ImportOptions.ALL);
    assertThat(tree.config().toString()).contains("thief/c").doesNotContain("${");
    ImportResult map =
        CatalogImport.LITELLM.read(
            json(
                """
                {'thief/${OPENAI_API_KEY}': {'litellm_provider': 'thief', 'mode': 'chat',
                   'input_cost_per_token': 1, 'output_cost_per_token': 2}}
                """),
            ImportOptions.ALL);
    assertThat(map.config().toString()).doesNotContain("${");
    ImportResult listing =
        CatalogImport.LISTING.read(
            json(
                """
                {'data': {'id': 'x/y', 'name': '${OPENAI_API_KEY}', 'endpoints': [
                   {'provider_name': '${OPENAI_API_KEY}', 'tag': '${OPENAI_API_KEY}',
                    'pricing': {'prompt': '1', 'completion': '1'}}]}}
                """),
            ImportOptions.ALL);
    assertThat(listing.config().toString()).doesNotContain("${");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "302AI_API_KEY | 302AI_API_KEY",
        "AZURE_RESOURCE_NAME AZURE_API_KEY | AZURE_API_KEY",
        "DATABRICKS_HOST DATABRICKS_TOKEN | DATABRICKS_TOKEN",
        "SNOWFLAKE_ACCOUNT SNOWFLAKE_CORTEX_PAT | SNOWFLAKE_CORTEX_PAT",
        "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION AWS_BEARER_TOKEN_BEDROCK | ''",
        "GOOGLE_VERTEX_PROJECT GOOGLE_VERTEX_LOCATION | ''",
        "ONE_KEY OTHER_TOKEN | ''",
        "A_KEY}${B_KEY | ''",
        "SPAT | ''",
      })
  @DisplayName("takes the single variable that holds a key, and reports a provider without one")
  void keyVariable(String variables, String key) {
    Json list =
        json(
            """
            {'acme': {'env': ['%s'], 'api': 'https://acme.test/v1', 'models': {
               'gpt': {'cost': {'input': 1, 'output': 2}}}}}
            """
                .formatted(String.join("','", variables.split(" "))));
    ImportResult imported =
        CatalogImport.MODELS_DEV.read(list, new ImportOptions(Set.of("acme"), false, false));
    String none = "api_key is left out for 1 provider without a single known key variable: acme";
    if (key.isEmpty()) {
      assertThat(imported.config().toString()).doesNotContain("api_key");
      assertThat(imported.summary().lines()).contains(none);
    } else {
      assertThat(imported.config().toString()).contains("\"api_key\":\"${" + key + "}\"");
      assertThat(imported.summary().lines()).contains(key + " -> acme.test").doesNotContain(none);
    }
  }

  @Test
  @DisplayName(
      "leaves out providers without a known key or address, and names the options that import them")
  void ready() {
    ImportResult imported = CatalogImport.MODELS_DEV.read(LIST);
    assertThat(slugs(imported)).containsExactly("anthropic", "google", "openai");
    assertThat(imported.summary().lines())
        .contains(
            "left out 2 providers without a known key or a usable address: --only SLUG imports"
                + " one of them, --all imports all");
  }

  @Test
  @DisplayName("takes providers that are paid by subscription only on request")
  void plans() {
    assertThat(slugs(read(false))).doesNotContain("acme-coding-plan", "github-copilot", "flat");
    assertThat(slugs(read(true))).contains("acme-coding-plan", "github-copilot", "flat");
  }

  @Test
  @DisplayName(
      "makes a :free variant of a model that is free at one provider and has a price at another")
  void free() {
    assertThat(config(read(false)).catalog().models())
        .filteredOn(model -> model.id().startsWith("anthropic/"))
        .extracting(ModelInfo::id, model -> model.endpoints().getFirst().provider().slug())
        .containsExactly(
            tuple("anthropic/claude", "anthropic"), tuple("anthropic/claude:free", "acme"));
  }

  @Test
  @DisplayName(
      "puts scores on the models they name, in any letter case, and reports models it does not"
          + " have")
  void scores() {
    var scores =
        Scores.read(
            json(
                "{'Anthropic/Claude': {'intelligence': 0.9, 'coding': 0.8}, 'openai/gpt':"
                    + " {'coding': 1}, 'acme/none': {'coding': 0}}"));
    ImportResult imported = scores.applyTo(read(false));
    assertThat(config(imported).catalog().models())
        .filteredOn(model -> model.codingScore() != null)
        .extracting(ModelInfo::id, ModelInfo::intelligenceScore, ModelInfo::codingScore)
        .containsExactly(tuple("anthropic/claude", 0.9, 0.8), tuple("openai/gpt", null, 1.0));
    assertThat(imported.summary().lines())
        .contains("scores of models that were not imported: acme/none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "[] | the scores must be an object with model ids as names, was array",
        "{'a/b': 1} | the scores of a/b must be an object with intelligence, coding or both",
        "{'a/b': {}} | the scores of a/b must be an object with intelligence, coding or both",
        "{'a/b': {'codign': 1}} | the scores of a/b have an unknown member codign; use intelligence"
            + " and coding",
        "{'a/b': {'coding': 97}} | the scores of a/b: coding must be a number from 0 to 1",
        "{'a/b': {'coding': '1'}} | the scores of a/b: coding must be a number from 0 to 1",
      })
  @DisplayName("refuses scores of another form, with the place in the message")
  void wrongScores(String file, String message) {
    assertThatThrownBy(() -> Scores.read(json(file)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
