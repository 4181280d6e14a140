package io.strowger.core.config;

import static io.strowger.core.config.ConfigWords.accepted;
import static io.strowger.core.config.ConfigWords.minimal;
import static io.strowger.core.config.ConfigWords.problems;
import static io.strowger.core.config.ConfigWords.withEndpoint;
import static io.strowger.core.config.ConfigWords.withModel;
import static io.strowger.core.config.ConfigWords.withProvider;
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
    return accepted(document).catalog().endpoints().getFirst();
  }

  @Test
  @DisplayName(
      "without more than their names are free, text only, unlimited, able to do everything")
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
  @DisplayName("retain and train unless they say otherwise")
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
    var provider = accepted(withProvider(members)).providers().getFirst().info();
    assertThat(provider.retainsPrompts()).isEqualTo(retains);
    assertThat(provider.trainsOnPrompts()).isEqualTo(trains);
  }

  @Test
  @DisplayName("name every place where something required is missing")
  void required() {
    assertThat(problems(Json.Obj.EMPTY))
        .containsExactly("/providers: is required", "/models: is required");
    assertThat(problems(ConfigWords.json("{'providers': [{}], 'models': [{}]}")))
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
  @DisplayName("speak one of the known protocols")
  @ValueSource(
      strings = {"openai-chat", "anthropic-messages", "openai-responses", "gemini", "simulated"})
  void protocols(String protocol) {
    GatewayConfig config = accepted(withProvider("'protocol': '" + protocol + "'"));
    assertThat(config.providers().getFirst().protocol()).isEqualTo(protocol);
    assertThat(config.unusedMemberWarnings()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("are reached at an http or https URL")
  @CsvSource({
    "https://h/v1, https://h/v1",
    "http://127.0.0.1:9900/v1/, http://127.0.0.1:9900/v1",
    "HTTPS://[::1]:8443, HTTPS://[::1]:8443",
    "http://h:65535, http://h:65535"
  })
  void baseUrl(String url, String expected) {
    assertThat(accepted(withProvider("'base_url': '" + url + "'")).providers().getFirst().baseUri())
        .hasToString(expected);
  }

  @ParameterizedTest
  @DisplayName("are not reached at anything else")
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
  @DisplayName("send headers that are headers, and none the gateway owns")
  void headers() {
    assertThat(
            accepted(withProvider("'headers': {'X-Team': 'a b', 'x-other': ''}"))
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
  @DisplayName("have slugs in lower case")
  @ValueSource(strings = {"Alpha", "a b", "a/b", "-a", "", "é"})
  void slugs(String slug) {
    assertThat(problems(withProvider("'slug': '" + slug + "'")))
        .anySatisfy(it -> assertThat(it).startsWith("/providers/0/slug: must be a slug"));
  }

  @Test
  @DisplayName("have a slug of at most a hundred characters")
  void longSlug() {
    String longest = "a".repeat(100);
    accepted(withProvider("'slug': '" + longest + "'").with("models", Json.array()));
    assertThat(problems(withProvider("'slug': 'a" + longest + "'"))).hasSize(2);
  }

  @ParameterizedTest
  @DisplayName("take numbers within their range and nothing beyond")
  @CsvSource({"context_length, 1, 2147483647", "max_output_tokens, 1, 2147483647"})
  void wholeNumbers(String member, long least, long most) {
    for (long good : new long[] {least, most}) {
      accepted(withEndpoint("'" + member + "': " + good));
    }
    for (long bad : new long[] {least - 1, most + 1}) {
      assertThat(problems(withEndpoint("'" + member + "': " + bad)))
          .singleElement()
          .asString()
          .startsWith("/models/0/endpoints/0/" + member + ": must be a whole number");
    }
  }

  @Test
  @DisplayName("take scores from 0 to 1 and assumed statistics from 0")
  void fractions() {
    accepted(withModel("'coding_score': 0, 'intelligence_score': 1"));
    accepted(withEndpoint("'assumed': {'throughput_tps': 0, 'latency_ms': 0.5}"));
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
  @DisplayName("use the words of the vocabulary only")
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
  @DisplayName("list reasoning efforts lowest first, however they are written")
  void efforts() {
    var model =
        accepted(withModel("'reasoning': {'mandatory': true, 'efforts': ['high', 'low', 'max']}"))
            .catalog()
            .models()
            .getFirst();
    assertThat(model.reasoning().mandatory()).isTrue();
    assertThat(model.reasoning().efforts()).containsExactly("low", "high", "max");
  }

  @Test
  @DisplayName("have names that nothing else has")
  void duplicates() {
    assertThat(
            problems(
                ConfigWords.json(
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
  @DisplayName("have no name that a request means something else by")
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
  @DisplayName("may have variants in their names and at most 200 characters")
  void names() {
    accepted(withModel("'id': 'acme/large:free'"));
    accepted(withModel("'id': '" + "m".repeat(200) + "'"));
    assertThat(problems(withModel("'id': '" + "m".repeat(201) + "'"))).hasSize(1);
  }

  @Test
  @DisplayName("of speech say whether they speak with several voices, and in which formats")
  void speech() {
    Endpoint plain = endpoint(withEndpoint("'kind': 'speech'"));
    assertThat(plain.multiSpeaker()).isFalse();
    assertThat(plain.audioFormats()).containsExactly("mp3", "pcm");
    Endpoint said =
        endpoint(
            withEndpoint(
                "'kind': 'speech', 'multi_speaker': true, 'audio_formats': ['pcm', 'opus']"));
    assertThat(said.multiSpeaker()).isTrue();
    assertThat(said.audioFormats()).containsExactly("pcm", "opus");
    assertThat(accepted(withEndpoint("'kind': 'speech'")).unusedMemberWarnings()).isEmpty();
    assertThat(problems(withEndpoint("'multi_speaker': 1, 'audio_formats': []"))).hasSize(2);
    assertThat(problems(withEndpoint("'audio_formats': ['MP3', 'audio/mpeg']"))).hasSize(2);
  }

  @Test
  @DisplayName("come by the thousands")
  void many() {
    var models = new ArrayList<Json>();
    var endpoints = new ArrayList<Json>();
    for (int i = 0; i < 2_000; i++) {
      endpoints.add(ConfigWords.json("{'provider': 'alpha', 'tag': 'alpha/" + i + "'}"));
      if (endpoints.size() == 5) {
        models.add(
            Json.object()
                .put("id", "acme/m" + i)
                .put("endpoints", Json.array(List.copyOf(endpoints)))
                .build());
        endpoints.clear();
      }
    }
    var catalog = accepted(minimal("").with("models", Json.array(models))).catalog();
    assertThat(catalog.endpoints()).hasSize(2_000);
    assertThat(catalog.models()).hasSize(400);
    assertThat(catalog.model("ACME/M1999")).isNotNull();
  }
}
