package io.strowger.core.config;

import static io.strowger.core.config.TestConfigs.accept;
import static io.strowger.core.config.TestConfigs.minimal;
import static io.strowger.core.config.TestConfigs.problems;
import static io.strowger.core.config.TestConfigs.withEndpoint;
import static io.strowger.core.config.TestConfigs.withModel;
import static io.strowger.core.config.TestConfigs.withProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Providers, models and endpoints of the configuration file")
class ModelsTest {
  private static Endpoint endpoint(Json document) {
    return accept(document).catalog().endpoints().getFirst();
  }

  @Test
  @DisplayName("with only their names are free, text only, unlimited, and support all parameters")
  void defaults() {
    Endpoint endpoint = endpoint(minimal(""));
    assertThat(endpoint.id()).isEqualTo("acme/large@alpha");
    assertThat(endpoint.upstreamModel()).isEqualTo("acme/large");
    assertThat(endpoint.pricing()).isEqualTo(Pricing.FREE);
    assertThat(endpoint.kind()).isEqualTo(Endpoint.Kind.CHAT);
    assertThat(endpoint.contextLength()).isZero();
    assertThat(endpoint.maxOutputTokens()).isZero();
    assertThat(endpoint.parameterMask()).isEqualTo(Parameter.ALL);
    assertThat(endpoint.inputModalities()).isEqualTo(Modality.TEXT.bit());
    assertThat(endpoint.quantization()).isEqualTo("unknown");
    assertThat(endpoint.provider().name()).isEqualTo("alpha");
  }

  @Proves("routing.lists.unknown-policy")
  @ParameterizedTest(name = "{0} -> retains {1}, trains {2}")
  @DisplayName("retain prompts and train on them unless their data policy says otherwise")
  @CsvSource(
      delimiter = '|',
      value = {
        "'region': null | true | true",
        "'data_policy': null | true | true",
        "'data_policy': {} | true | true",
        "'data_policy': {'retains_prompts': false} | false | true",
        "'data_policy': {'trains_on_prompts': false} | true | false"
      },
      quoteCharacter = '`')
  void dataPolicy(String members, boolean retains, boolean trains) {
    var provider = accept(withProvider(members)).providers().getFirst().info();
    assertThat(provider.retainsPrompts()).isEqualTo(retains);
    assertThat(provider.trainsOnPrompts()).isEqualTo(trains);
  }

  @Test
  @DisplayName("are refused with a pointer to every missing member")
  void required() {
    assertThat(problems(Json.Obj.EMPTY))
        .containsExactly("/providers: is required", "/models: is required");
    assertThat(problems(TestConfigs.json("{'providers': [{}], 'models': [{}]}")))
        .containsExactly(
            "/providers/0/slug: is required",
            "/providers/0/protocol: is required",
            "/providers/0/base_url: is required",
            "/models/0/id: is required",
            "/models/0/endpoints: is required");
    assertThat(problems(withModel("'endpoints': [{}]")))
        .containsExactly("/models/0/endpoints/0/provider: is required");
  }

  @ParameterizedTest
  @DisplayName("accept each known protocol")
  @ValueSource(
      strings = {"openai-chat", "anthropic-messages", "openai-responses", "gemini", "simulated"})
  void protocols(String protocol) {
    GatewayConfig config = accept(withProvider("'protocol': '" + protocol + "'"));
    assertThat(config.providers().getFirst().protocol()).isEqualTo(protocol);
    assertThat(config.unusedMemberWarnings()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("accept an http or https URL")
  @CsvSource({
    "https://h/v1, https://h/v1",
    "http://127.0.0.1:9900/v1/, http://127.0.0.1:9900/v1",
    "HTTPS://[::1]:8443, HTTPS://[::1]:8443",
    "http://h:65535, http://h:65535"
  })
  void baseUrl(String url, String expected) {
    assertThat(accept(withProvider("'base_url': '" + url + "'")).providers().getFirst().baseUri())
        .hasToString(expected);
  }

  @ParameterizedTest
  @DisplayName("refuse any other URL")
  @ValueSource(
      strings = {
        "ftp://h/v1",
        "h/v1",
        "/v1",
        "https://",
        "https:///v1",
        "https://h/v1?a=b",
        "https://h/v1#f",
        "https://u:p@h/v1",
        "https://h h/v1",
        "http://h:65536/",
        "",
        "https://${"
      })
  void otherUrls(String url) {
    assertThat(problems(withProvider("'base_url': '" + url + "'")))
        .singleElement()
        .asString()
        .startsWith("/providers/0/base_url: must ");
  }

  @Test
  @DisplayName("accept valid headers, except those that the gateway sets itself")
  void headers() {
    assertThat(
            accept(withProvider("'headers': {'X-Team': 'a b', 'x-other': ''}"))
                .providers()
                .getFirst()
                .headers())
        .containsExactly(Map.entry("X-Team", "a b"), Map.entry("x-other", ""));
    assertThat(
            problems(
                withProvider(
                    "'headers': {'a b': 'c', 'Host': 'h', 'X': 'secret\\n"
                        + "line', 'x': '2', 'Y': 3}")))
        .containsExactly(
            "/providers/0/headers/a b: is not a header name",
            "/providers/0/headers/Host: is a header the gateway sets itself",
            "/providers/0/headers/X: must be printable text without line breaks",
            "/providers/0/headers/x: is a header that is named twice, ignoring case",
            "/providers/0/headers/Y: must be printable text without line breaks");
  }

  @ParameterizedTest
  @DisplayName("refuse slugs that are not in lower case or have other characters")
  @ValueSource(strings = {"Alpha", "a b", "a/b", "-a", "", "é"})
  void slugs(String slug) {
    assertThat(problems(withProvider("'slug': '" + slug + "'")))
        .anySatisfy(it -> assertThat(it).startsWith("/providers/0/slug: must be a slug"));
  }

  @Test
  @DisplayName("accept slugs of at most a hundred characters")
  void longSlug() {
    String longest = "a".repeat(100);
    accept(withProvider("'slug': '" + longest + "'").with("models", Json.array()));
    assertThat(problems(withProvider("'slug': 'a" + longest + "'"))).hasSize(2);
  }

  @ParameterizedTest
  @DisplayName("accept numbers exactly within their range")
  @CsvSource({"context_length, 1, 2147483647", "max_output_tokens, 1, 2147483647"})
  void wholeNumbers(String member, long min, long max) {
    for (long valid : new long[] {min, max}) {
      accept(withEndpoint("'" + member + "': " + valid));
    }
    for (long invalid : new long[] {min - 1, max + 1}) {
      assertThat(problems(withEndpoint("'" + member + "': " + invalid)))
          .singleElement()
          .asString()
          .startsWith("/models/0/endpoints/0/" + member + ": must be a whole number");
    }
  }

  @Test
  @DisplayName("accept scores from 0 to 1 and assumed statistics from 0")
  void fractions() {
    accept(withModel("'coding_score': 0, 'intelligence_score': 1"));
    accept(withEndpoint("'assumed': {'throughput_tps': 0, 'latency_ms': 0.5}"));
    assertThat(problems(withModel("'coding_score': -0.01, 'intelligence_score': 1.01")))
        .containsExactly(
            "/models/0/coding_score: must be a number from 0 to 1, was -0.01",
            "/models/0/intelligence_score: must be a number from 0 to 1, was 1.01");
    assertThat(problems(withEndpoint("'assumed': {'throughput_tps': -1, 'latency_ms': 86400001}")))
        .containsExactly(
            "/models/0/endpoints/0/assumed/throughput_tps: must be a number from 0 to 1000000, was"
                + " -1",
            "/models/0/endpoints/0/assumed/latency_ms: must be a number from 0 to 86400000, was"
                + " 86400001");
  }

  @Test
  @DisplayName("refuse values that are not in the vocabulary")
  void vocabulary() {
    assertThat(
            problems(
                withEndpoint(
                    """
                    'kind': 'image', 'quantization': 'fp12', 'service_tier': 'default',
                    'supported_parameters': ['tools', 'speed'], 'input_modalities': ['pdf'],
                    'output_modalities': []
                    """)))
        .satisfiesExactly(
            it ->
                assertThat(it)
                    .endsWith(
                        "must be one of chat, speech, embeddings, rerank, images, transcriptions,"
                            + " was \"image\""),
            it -> assertThat(it).contains("/quantization: must be one of int4, int8, fp4"),
            it -> assertThat(it).contains("/supported_parameters/1: must be one of temperature"),
            it ->
                assertThat(it)
                    .contains(
                        "/input_modalities/0: must be one of text, image, audio, video, file, was"
                            + " \"pdf\""),
            it -> assertThat(it).contains("/output_modalities: must name at least one"),
            it -> assertThat(it).contains("/service_tier: must be one of priority, flex"));
  }

  @Test
  @DisplayName("list reasoning efforts lowest first, in whatever order the file has them")
  void efforts() {
    var model =
        accept(withModel("'reasoning': {'mandatory': true, 'efforts': ['high', 'low', 'max']}"))
            .catalog()
            .models()
            .getFirst();
    assertThat(model.reasoning().mandatory()).isTrue();
    assertThat(model.reasoning().efforts()).containsExactly("low", "high", "max");
  }

  @Test
  @DisplayName("are refused if a name is used twice")
  void duplicates() {
    assertThat(
            problems(
                TestConfigs.json(
                    """
                    {'providers': [
                       {'slug': 'alpha', 'protocol': 'simulated', 'base_url': 'http://h'},
                       {'slug': 'alpha', 'protocol': 'simulated', 'base_url': 'http://h'}],
                     'models': [
                       {'id': 'acme/a', 'aliases': ['x', 'acme/B'], 'endpoints': [
                         {'provider': 'alpha'}, {'provider': 'alpha'},
                         {'provider': 'alpha', 'tag': 'ALPHA'}, {'provider': 'beta', 'tag': 'y'}]},
                       {'id': 'ACME/b', 'aliases': ['X'], 'endpoints': []}]}
                    """)))
        .containsExactly(
            "/providers/1/slug: must be unique, is also at /providers/0/slug, was \"alpha\"",
            "/models/0/endpoints/1/provider: must be unique, is also at"
                + " /models/0/endpoints/0/provider, was \"alpha\"",
            "/models/0/endpoints/2/tag: must be unique, is also at /models/0/endpoints/0/provider,"
                + " was \"ALPHA\"",
            "/models/0/endpoints/3/provider: must be the slug of a provider in this file, was"
                + " \"beta\"",
            "/models/1/id: must be unique, is also at /models/0/aliases/1, was \"ACME/b\"",
            "/models/1/aliases/0: must be unique, is also at /models/0/aliases/0, was \"X\"",
            "/models/1/endpoints: must have at least one endpoint, or no request can use the model,"
                + " was an array of 0");
  }

  @ParameterizedTest
  @DisplayName("refuse names that have another meaning in requests")
  @ValueSource(strings = {"~acme/large", "@preset/x", "a b", "m:nitro", "m:free:ONLINE", ""})
  void reservedNames(String id) {
    assertThat(problems(withModel("'id': '" + id + "'")))
        .singleElement()
        .asString()
        .startsWith("/models/0/id: must be a name");
    assertThat(problems(withModel("'aliases': ['" + id + "']")))
        .singleElement()
        .asString()
        .startsWith("/models/0/aliases/0: must be a name");
  }

  @Test
  @DisplayName("accept names with variants and of at most 200 characters")
  void names() {
    accept(withModel("'id': 'acme/large:free'"));
    accept(withModel("'id': '" + "m".repeat(200) + "'"));
    assertThat(problems(withModel("'id': '" + "m".repeat(201) + "'"))).hasSize(1);
  }

  @Test
  @DisplayName("for speech can have several speakers and a list of audio formats")
  void speech() {
    Endpoint byDefault = endpoint(withEndpoint("'kind': 'speech'"));
    assertThat(byDefault.multiSpeaker()).isFalse();
    assertThat(byDefault.audioFormats()).containsExactly("mp3", "pcm");
    Endpoint configured =
        endpoint(
            withEndpoint(
                "'kind': 'speech', 'multi_speaker': true, 'audio_formats': ['pcm', 'opus']"));
    assertThat(configured.multiSpeaker()).isTrue();
    assertThat(configured.audioFormats()).containsExactly("pcm", "opus");
    assertThat(accept(withEndpoint("'kind': 'speech'")).unusedMemberWarnings()).isEmpty();
    assertThat(problems(withEndpoint("'multi_speaker': 1, 'audio_formats': []"))).hasSize(2);
    assertThat(problems(withEndpoint("'audio_formats': ['MP3', 'audio/mpeg']"))).hasSize(2);
  }

  @Test
  @DisplayName("can be thousands")
  void many() {
    var models = new ArrayList<Json>();
    var endpoints = new ArrayList<Json>();
    for (int i = 0; i < 2_000; i++) {
      endpoints.add(TestConfigs.json("{'provider': 'alpha', 'tag': 'alpha/" + i + "'}"));
      if (endpoints.size() == 5) {
        models.add(
            Json.object()
                .put("id", "acme/m" + i)
                .put("endpoints", Json.array(List.copyOf(endpoints)))
                .build());
        endpoints.clear();
      }
    }
    var catalog = accept(minimal("").with("models", Json.array(models))).catalog();
    assertThat(catalog.endpoints()).hasSize(2_000);
    assertThat(catalog.models()).hasSize(400);
    assertThat(catalog.model("ACME/M1999")).isNotNull();
  }
}
