package io.strowger.core.config;

import static io.strowger.core.config.TestConfigs.accept;
import static io.strowger.core.config.TestConfigs.json;
import static io.strowger.core.config.TestConfigs.minimal;
import static io.strowger.core.config.TestConfigs.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A configuration file")
class ConfigReaderTest {
  @Test
  @DisplayName("is refused with all problems at once, in the order of its sections")
  void allProblems() {
    assertThat(
            problems(
                json(
                    """
                    {'models': [{'id': 'a b', 'endpoints': {}, 'colour': 1}],
                     'providers': [{'slug': 'alpha', 'protocol': 'telnet', 'base_url': '${GONE}'}],
                     'server': {'port': '80', 'hots': 'x'}, 'limits': [], 'extra~/': 1}
                    """)))
        .containsExactly(
            "/providers/0/base_url: needs the environment variable GONE, which is not set",
            "/server/port: must be a whole number from 0 to 65535, was \"80\"",
            "/server/hots: is not a member here; allowed: host, port, drain_seconds,"
                + " drain_delay_ms, tls, trusted_proxies, admin, cors_origins, http2,"
                + " max_request_bytes, max_batch_bytes",
            "/limits: must be an object, was an array",
            "/providers/0/protocol: must be one of openai-chat, anthropic-messages,"
                + " openai-responses, gemini, simulated, was \"telnet\"",
            "/models/0/id: must be a name of 1 to 200 characters such as acme/large, without"
                + " blanks, not beginning with ~ or @ and not ending in :nitro, :floor, :exacto or"
                + " :online, which are for requests, was \"a b\"",
            "/models/0/endpoints: must be an array of objects, was an object",
            "/models/0/colour: is not a member here; allowed: id, family, created, hidden,"
                + " private, aliases, distillable, coding_score, intelligence_score, reasoning,"
                + " name, endpoints",
            "/extra~0~1: is not a member here; allowed: server, limits, timeouts, stream, credits,"
                + " money, store, providers, models, keys, byok_keys, account, plugins, search,"
                + " fetch, files, moderation, fusion, plugins_dir, cache, overload, network,"
                + " batches, telemetry, observability_destinations, observability_queue");
  }

  @Test
  @DisplayName("with problems throws one exception that contains all of them")
  void thrown() {
    ConfigResult result = TestConfigs.read(Json.Obj.EMPTY);
    assertThatThrownBy(result::orThrow)
        .isInstanceOfSatisfying(
            GatewayException.class,
            thrown -> {
              assertThat(thrown.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
              assertThat(thrown.error().problems()).isEqualTo(result.problems()).hasSize(2);
            });
  }

  @Test
  @DisplayName("is refused with a thousand problems and the number of the rest")
  void manyProblems() {
    var models = Collections.nCopies(1_001, Json.Obj.EMPTY);
    var found =
        problems(json("{'providers': []}").with("models", Json.array(new ArrayList<>(models))));
    assertThat(found).hasSize(1_001).last().isEqualTo("and 1002 more");
  }

  @Test
  @DisplayName("must be a JSON object")
  void notAnObject() {
    var reader = new ConfigReader(new JacksonCodec(), name -> null);
    assertThat(reader.read("[]".getBytes(StandardCharsets.UTF_8)).problems())
        .singleElement()
        .hasToString("must be an object, was an array");
    assertThat(reader.read("{} x".getBytes(StandardCharsets.UTF_8)).problems()).hasSize(1);
    assertThat(reader.read(new byte[0]).problems()).hasSize(1);
  }

  @Test
  @DisplayName("with equal content has the same catalog version in any spelling and order")
  void sameVersion() {
    var original = minimal("");
    var rewritten =
        json(
            """
            {'keys': [], 'models': [{'endpoints': [{'tag': null, 'provider': 'alpha'}],
                                     'id': 'acme\\u002flarge'}],
             'providers': [{'base_url': '${URL}', 'protocol': 'openai-chat', 'slug': 'alpha',
                            'api_key': 'new', 'headers': {'X-A': 'b'}}], 'server': {'port': 1}}
            """);
    var other = TestConfigs.read(rewritten, Map.of("URL", "https://alpha.test/v1")).orThrow();
    assertThat(other.catalog().version())
        .isEqualTo(accept(original).catalog().version())
        .matches("[0-9a-f]{16}");
  }

  @Test
  @DisplayName("with other content has another catalog version")
  void otherVersion() {
    String version = accept(minimal("")).catalog().version();
    assertThat(accept(TestConfigs.withModel("'hidden': true")).catalog().version())
        .isNotEqualTo(version);
    assertThat(accept(TestConfigs.withProvider("'region': 'eu'")).catalog().version())
        .isNotEqualTo(version);
    assertThat(accept(TestConfigs.withEndpoint("'context_length': 1")).catalog().version())
        .isNotEqualTo(version);
  }
}
