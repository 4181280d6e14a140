package io.strowger.core.config;

import static io.strowger.core.config.TestConfigs.accept;
import static io.strowger.core.config.TestConfigs.minimal;
import static io.strowger.core.config.TestConfigs.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.digest.Sha256;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Settings of the configuration file")
class SettingsTest {
  @ParameterizedTest(name = "{0}.{1}: {2} to {3}")
  @DisplayName("accept whole numbers exactly within their range, both ends included")
  @CsvSource({
    "server, port, 0, 65535",
    "server, max_request_bytes, 1, 2000000000",
    "server, max_batch_bytes, 1, 1000000000000",
    "server, drain_seconds, 0, 3600",
    "timeouts, connect_ms, 1, 86400000",
    "timeouts, first_content_ms, 1, 86400000",
    "timeouts, stream_idle_ms, 1, 86400000",
    "timeouts, drip_window_ms, 1, 60000",
    "timeouts, drip_tokens_per_second, 1, 1000",
    "timeouts, total_ms, 1, 86400000",
    "stream, early_head_ms, 0, 86400000",
    "limits, depth, 1, 1000",
    "limits, string_bytes, 1, 2000000000",
    "limits, name_chars, 1, 100000",
    "limits, number_chars, 1, 1000",
    "limits, members, 1, 100000000",
    "limits, values, 1, 100000000",
    "limits, batch_requests, 1, 1000000",
    "limits, problems, 1, 10000",
    "limits, requests_per_minute, 0, 1000000000",
    "limits, requests_per_day, 0, 1000000000",
    "limits, free_requests_per_minute, 0, 1000000000",
    "limits, free_requests_per_day, 0, 1000000000",
    "money, default_output_tokens, 1, 10000000",
    "cache, entries, 0, 10000000",
    "cache, bytes, 1000000, 1000000000000",
    "batches, workers, 0, 1000",
    "batches, lease_seconds, 5, 3600",
    "batches, retention_hours, 1, 87600",
    "batches, open_per_workspace, 1, 999",
    "overload, body_bytes, 1000, 1000000000000",
    "overload, in_flight, 1, 10000000",
    "overload, per_key, 1, 10000000",
    "overload, per_endpoint, 1, 10000000",
    "overload, queue, 0, 100000",
    "overload, queue_ms, 0, 60000"
  })
  void ranges(String section, String member, long min, long max) {
    String range = "must be a whole number from " + min + " to " + max + ", was ";
    String problem = "/" + section + "/" + member + ": " + range;
    String start = "'" + section + "': {'" + member + "': ";
    accept(minimal(start + min + "}"));
    accept(minimal(start + max + "}"));
    accept(minimal(start + "null}"));
    assertThat(problems(minimal(start + (min - 1) + "}"))).containsExactly(problem + (min - 1));
    assertThat(problems(minimal(start + (max + 1) + "}"))).containsExactly(problem + (max + 1));
    assertThat(problems(minimal(start + "1.5}"))).containsExactly(problem + "1.5");
    assertThat(problems(minimal(start + "'1'}"))).containsExactly(problem + "\"1\"");
    assertThat(problems(minimal(start + "1e99}"))).containsExactly(problem + "1e99");
  }

  @Test
  @DisplayName("are read into the corresponding values")
  void values() {
    GatewayConfig config =
        accept(
            minimal(
                """
                'server': {'host': '::1', 'port': 0, 'drain_seconds': 1, 'max_request_bytes': 2,
                           'max_batch_bytes': 3, 'drain_delay_ms': 23, 'http2': false,
                           'tls': {'certificate': 'own.pem', 'key': '/keys/own.key'}},
                'timeouts': {'connect_ms': 1, 'first_content_ms': 2, 'first_content_plain_ms': 29,
                             'stream_idle_ms': 3, 'total_ms': 4, 'drip_window_ms': 18, 'drip_tokens_per_second': 19},
                'stream': {'early_head_ms': 5},
                'limits': {'depth': 6, 'string_bytes': 7, 'name_chars': 13, 'number_chars': 8,
                           'members': 14, 'values': 15, 'batch_requests': 17,
                           'problems': 9, 'requests_per_minute': 20, 'requests_per_day': 21,
                           'free_requests_per_minute': 22, 'free_requests_per_day': 0},
                'money': {'default_output_tokens': 10, 'credits_url': 'https://pay.test/more'}, 'credits': '11.5', 'cache': {'entries': 12,
                 'bytes': 1000013},
                'overload': {'body_bytes': 1023, 'in_flight': 24, 'per_key': 25, 'per_endpoint': 26,
                             'queue': 27, 'queue_ms': 28, 'adaptive': true},
                'batches': {'workers': 30, 'lease_seconds': 31, 'live_share': 0.75,
                            'retention_hours': 32, 'open_per_workspace': 33}
                """));
    assertThat(config.server())
        .isEqualTo(
            new ServerSettings(
                "::1",
                0,
                Duration.ofSeconds(1),
                Duration.ofMillis(23),
                new TlsFiles(Path.of("own.pem"), Path.of("/keys/own.key"))));
    assertThat(config.limits())
        .isEqualTo(new RequestLimits(2, 3, new JsonLimits(6, 7, 13, 8, 14, 15), 17, 9));
    assertThat(config.timeouts())
        .isEqualTo(
            new Timeouts(
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                Duration.ofMillis(29),
                Duration.ofMillis(3),
                Duration.ofMillis(4),
                Duration.ofMillis(18),
                19));
    assertThat(config.streaming().earlyHead()).isEqualTo(Duration.ofMillis(5));
    assertThat(config.money())
        .isEqualTo(new MoneySettings(10, new Usd(11_500_000_000L), "https://pay.test/more"));
    assertThat(config.cache()).isEqualTo(new CacheSettings(12, 1_000_013));
    assertThat(config.rates()).isEqualTo(new RateSettings(20, 21, 22, 0));
    assertThat(config.batches())
        .isEqualTo(new BatchSettings(30, Duration.ofSeconds(31), 0.75, Duration.ofHours(32), 33));
    assertThat(config.overload())
        .isEqualTo(new OverloadSettings(1_023L, 24, 25, 26, 27, Duration.ofMillis(28), true));
  }

  @Test
  @DisplayName("refuse less time for an answer without streaming than for the start of a stream")
  void plainAnswers() {
    accept(minimal("'timeouts': {'first_content_ms': 9, 'first_content_plain_ms': 9}"));
    assertThat(
            problems(minimal("'timeouts': {'first_content_ms': 9, 'first_content_plain_ms': 8}")))
        .containsExactly(
            "/timeouts/first_content_plain_ms: must be at least first_content_ms, 9, was 8");
  }

  @ParameterizedTest
  @DisplayName("refuse an address for credits that is no http or https URL")
  @ValueSource(
      strings = {"''", "'more'", "'ftp://pay.test'", "'https:///more'", "'https://a b'", "1"})
  void creditsUrl(String url) {
    assertThat(problems(minimal("'money': {'credits_url': " + url + "}")))
        .singleElement()
        .asString()
        .startsWith("/money/credits_url: must be an http or https address");
  }

  @ParameterizedTest
  @DisplayName("accept credits from 0 with at most nine decimals")
  @ValueSource(strings = {"'0'", "'0.000000001'", "1.5", "'9000000000'", "'1.0000000000'"})
  void credits(String credits) {
    BigDecimal dollars = new BigDecimal(credits.replace("'", ""));
    assertThat(accept(minimal("'credits': " + credits)).money().credits().dollars())
        .isEqualByComparingTo(dollars);
  }

  @ParameterizedTest
  @DisplayName("refuse other credits")
  @ValueSource(
      strings = {
        "'-0.1'",
        "'0.0000000001'",
        "'9000000000.1'",
        "'1e3'",
        "1e3",
        "1e999999999",
        "' 1'",
        "''",
        "'NaN'",
        "true",
        "[]"
      })
  void badCredits(String credits) {
    assertThat(problems(minimal("'credits': " + credits)))
        .singleElement()
        .asString()
        .startsWith(
            "/credits: must be a decimal from 0 to 9000000000 with at most 9 decimals, was");
  }

  @ParameterizedTest
  @DisplayName("accept three kinds of store")
  @ValueSource(strings = {"memory:", "jdbc:h2:file:./data/x", "jdbc:postgresql://db/strowger"})
  void stores(String url) {
    GatewayConfig config =
        accept(minimal("'store': {'url': '" + url + "', 'user': 'u', 'password': 'hidden-word'}"));
    assertThat(config.store().url()).isEqualTo(url);
    assertThat(config.store().user()).isEqualTo("u");
    assertThat(config.store().password().reveal()).isEqualTo("hidden-word");
    assertThat(config.store().toString()).doesNotContain("hidden-word");
    assertThat(config.unusedMemberWarnings()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("refuse other stores, without showing the URL")
  @ValueSource(
      strings = {
        "memory",
        "jdbc:h2:mem:x",
        "jdbc:h2:file:",
        "jdbc:mysql://x/y",
        "jdbc:postgresql://u:p@h/d"
      })
  void otherStores(String url) {
    assertThat(problems(minimal("'store': {'url': '" + url + "'}")))
        .singleElement()
        .asString()
        .startsWith("/store/url: must be memory:, jdbc:h2:file:PATH")
        .doesNotContain(", was");
  }

  @Test
  @DisplayName("accept keys with a limit and the period of its reset")
  void keys() {
    GatewayConfig config =
        accept(
            minimal(
                """
                'keys': [{'name': 'a', 'key': 'k1', 'limit': 0.5, 'limit_reset': 'weekly'},
                         {'name': 'a', 'key': 'k2', 'limit': '2', 'limit_reset': null}]
                """));
    assertThat(config.keys())
        .extracting(KeyConfig::limit)
        .containsExactly(new Usd(500_000_000L), new Usd(2_000_000_000L));
    assertThat(config.keys())
        .extracting(KeyConfig::reset)
        .containsExactly(Period.WEEKLY, Period.LIFETIME);
  }

  @Test
  @DisplayName("accept the SHA-256 of a key instead of the key, which is then shown as ***")
  void keyHashes() {
    GatewayConfig config =
        accept(
            minimal(
                """
                'keys': [{'name': 'a', 'key': 'sk-a-key-of-some-length'},
                         {'name': 'b', 'key_sha256': '%s'}]
                """
                    .formatted(HexFormat.of().formatHex(Sha256.of("sk-another-key-of-this")))));
    assertThat(config.keys())
        .extracting(KeyConfig::id)
        .containsExactly(
            KeyId.of(Sha256.of("sk-a-key-of-some-length")),
            KeyId.of(Sha256.of("sk-another-key-of-this")));
    assertThat(config.keys()).extracting(KeyConfig::label).containsExactly("sk-a...gth", "***");
  }

  @Test
  @DisplayName("refuse a key hash that is invalid, of a listed key, or together with a key")
  void badKeyHashes() {
    String hash = HexFormat.of().formatHex(Sha256.of("same-key"));
    assertThat(
            problems(
                minimal(
                    """
                    'keys': [{'name': 'a', 'key': 'same-key'}, {'name': 'b', 'key_sha256': '%1$s'},
                             {'name': 'c', 'key': 'k', 'key_sha256': '%2$s'},
                             {'name': 'd', 'key_sha256': 'sk-a-key-in-the-wrong-place'},
                             {'name': 'e', 'key_sha256': '%3$s'}]
                    """
                        .formatted(hash, hash.replace('a', 'b'), hash.toUpperCase(Locale.ROOT)))))
        .containsExactly(
            "/keys/1/key_sha256: must be unique, is also at /keys/0/key",
            "/keys/2/key_sha256: must be absent when key is given",
            "/keys/3/key_sha256: must be the SHA-256 of the key, 64 lower-case hex digits",
            "/keys/4/key_sha256: must be the SHA-256 of the key, 64 lower-case hex digits");
  }

  @Test
  @DisplayName("refuse keys that are duplicate or invalid, or have an invalid limit")
  void badKeys() {
    assertThat(
            problems(
                minimal(
                    """
                    'keys': [{'name': 'a', 'key': 'same-key'}, {'name': 'b', 'key': 'same-key'},
                             {'name': 'c', 'key': 'with blank'}, {'name': 'd', 'key': ''}, {},
                             {'name': 'e', 'key': 'k', 'limit': '0.0000000001', 'limit_reset': 'yearly'},
                             'bare-key']
                    """)))
        .containsExactly(
            "/keys/1/key: must be unique, is also at /keys/0/key",
            "/keys/2/key: must be printable ASCII without blanks, not empty",
            "/keys/3/key: must be printable ASCII without blanks, not empty",
            "/keys/4/name: is required",
            "/keys/4/key: is required, or key_sha256 in its place",
            "/keys/5/limit: must be a decimal from 0 to 9000000000 with at most 9 decimals, was"
                + " \"0.0000000001\"",
            "/keys/5/limit_reset: must be one of daily, weekly, monthly, was \"yearly\"",
            "/keys/6: must be an object, was a string");
  }

  @Test
  @DisplayName("accept BYOK keys for the providers of the file")
  void byokKeys() {
    String hash = "a".repeat(64);
    ByokKey key =
        accept(
                minimal(
                    "'byok_keys': [{'id': 'k1', 'provider': 'alpha', 'key': 'x', 'is_fallback':"
                        + " true, 'sort_order': 3, 'always_use': true, 'allowed_models':"
                        + " ['acme/large'], 'allowed_api_key_hashes': ['"
                        + hash
                        + "']}]"))
            .byokKeys()
            .getFirst();
    assertThat(key.provider()).isEqualTo("alpha");
    assertThat(key.use().isFallback()).isTrue();
    assertThat(key.use().alwaysUse()).isTrue();
    assertThat(key.use().sortOrder()).isEqualTo(3);
    assertThat(key.use().models()).containsExactly("acme/large");
    assertThat(key.use().audience().keys())
        .singleElement()
        .satisfies(id -> assertThat(id.hex()).isEqualTo(hash));
    assertThat(
            problems(
                minimal(
                    """
                    'byok_keys': [{'id': 'k', 'provider': 'alpha', 'key': 'x'},
                                  {'id': 'K', 'provider': 'gamma', 'key': 'y', 'allowed_api_key_hashes': ['AB']}]
                    """)))
        .containsExactly(
            "/byok_keys/1/id: must be unique, is also at /byok_keys/0/id, was \"K\"",
            "/byok_keys/1/provider: must be the slug of a provider in this file, was \"gamma\"",
            "/byok_keys/1/allowed_api_key_hashes/0: must be the SHA-256 of a key, 64 lower-case hex"
                + " digits, was \"AB\"");
  }

  @Test
  @DisplayName("accept at most a hundred allowed models of a BYOK key")
  void restrictions() {
    String start =
        "'byok_keys': [{'id': 'k', 'provider': 'alpha', 'key': 'x', 'allowed_models': ['m'";
    accept(minimal(start + ", 'm'".repeat(99) + "]}]"));
    assertThat(problems(minimal(start + ", 'm'".repeat(100) + "]}]")))
        .containsExactly(
            "/byok_keys/0/allowed_models: must have at most 100 items, was an array of 101");
  }

  @Test
  @DisplayName("accept the rules of the account")
  void account() {
    AccountSettings account =
        accept(
                minimal(
                    """
                    'account': {'default_model': 'acme/large', 'default_sort': 'price',
                      'allowed_providers': ['alpha'], 'ignored_providers': ['beta'], 'zdr': ['google'],
                      'guardrails': [{'name': 'g', 'allowed_models': ['acme/large'], 'limit_usd': 5,
                        'content_filter_builtins': [{'slug': 'email', 'action': 'redact'}]}]}
                    """))
            .account();
    assertThat(account.defaultModel()).isEqualTo("acme/large");
    assertThat(account.defaultSort()).isEqualTo("price");
    assertThat(account.allowedProviders()).containsExactly("alpha");
    assertThat(account.ignoredProviders()).containsExactly("beta");
    assertThat(account.zdr()).containsExactly("google");
    assertThat(account.guardrails())
        .singleElement()
        .satisfies(guardrail -> assertThat(guardrail.body().text("name")).isEqualTo("g"));
    assertThat(
            problems(
                minimal(
                    """
                    'account': {'default_sort': 'speed', 'zdr': ['all'], 'guardrails': [
                      {'name': 'g', 'allowed_providers': [], 'content_filters': [{'pattern': 'x', 'action': 'hide'}]}]}
                    """)))
        .containsExactly(
            "/account/default_sort: must be one of price, throughput, latency, exacto, was"
                + " \"speed\"",
            "/account/zdr/0: must be one of anthropic, openai, google, xai, other, was \"all\"",
            "/account/guardrails/0/allowed_providers: must name at least one, or be null, was an"
                + " array of 0",
            "/account/guardrails/0/content_filters/0/action: must be one of redact, block, flag,"
                + " was \"hide\"");
  }

  @Test
  @DisplayName("accept plugin entries, and plugin settings with any members")
  void plugins() {
    PluginSettings plugins =
        accept(
                minimal(
                    """
                    'plugins': {'defaults': [{'id': 'web', 'prevent_overrides': true, 'max_results': 3},
                                             {'id': 'moderation', 'enabled': false}],
                                'settings': {'web': {'anything': [1]}}}
                    """))
            .plugins();
    assertThat(plugins.defaults().getFirst().config().longValue("max_results", 0)).isEqualTo(3);
    assertThat(plugins.defaults().get(1).enabled()).isFalse();
    assertThat(plugins.settings()).containsOnlyKeys("web");
    assertThat(
            problems(
                minimal(
                    "'plugins': {'defaults': [{'id': 'web', 'enabled': 1}, {'id': 'web'}, {}],"
                        + " 'settings': {'web': 1}}")))
        .containsExactly(
            "/plugins/defaults/0/enabled: must be true or false, was 1",
            "/plugins/defaults/1/id: must be unique, is also at /plugins/defaults/0/id, was"
                + " \"web\"",
            "/plugins/defaults/2/id: is required",
            "/plugins/settings/web: must be an object, was a number");
  }

  @Test
  @DisplayName("accept observability destinations with the members of the resource")
  void destinations() {
    GatewayConfig config =
        accept(
            minimal(
                """
                'observability_destinations': [{'id': 'd1', 'name': 'hook', 'type': 'webhook',
                  'config': {'url': 'https://x.test', 'headers': {'a': 'b'}}, 'sampling_rate': 0.0001,
                  'filter_rules': {'groups': [{'rules': [{'field': 'model', 'operator': 'equals', 'value': 'm'}]}]}}]
                """));
    assertThat(config.observabilityDestinations())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.id()).isEqualTo("d1");
              assertThat(it.destination().name()).isEqualTo("hook");
              assertThat(it.destination().selection().samplingRate())
                  .isEqualByComparingTo("0.0001");
            });
    assertThat(
            problems(
                minimal(
                    """
                    'observability_destinations': [
                      {'id': 'd', 'name': 'n', 'type': 'langfuse', 'config': {'publicKey': 7}, 'sampling_rate': 0},
                      {'id': 'd', 'name': 'n', 'type': 'pigeon'}]
                    """)))
        .containsExactly(
            "/observability_destinations/0/config/secretKey: is required",
            "/observability_destinations/0/config/publicKey: must be text that is not empty",
            "/observability_destinations/0/sampling_rate: must be a number from 0.0001 to 1, was 0",
            "/observability_destinations/1/id: must be unique, is also at"
                + " /observability_destinations/0/id, was \"d\"",
            "/observability_destinations/1/type: must be one of arize, braintrust, clickhouse,"
                + " datadog, grafana, langfuse, langsmith, newrelic, opik, otel-collector, posthog,"
                + " ramp, s3, sentry, snowflake, weave, webhook, was \"pigeon\"",
            "/observability_destinations/1/config: is required");
    assertThat(
            problems(
                minimal(
                    """
                    'observability_destinations': [{'id': 'd', 'name': 'n', 'type': 'webhook',
                      'config': {'url': 'no address'}}]
                    """)))
        .containsExactly(
            "/observability_destinations/0/config/url: must be an absolute http or https URL");
  }

  @Test
  @DisplayName("accept origins that may call from a browser")
  void corsOrigins() {
    assertThat(accept(minimal("")).server().corsOrigins()).isEmpty();
    assertThat(
            accept(
                    minimal(
                        "'server': {'cors_origins': ['https://app.example', 'http://[::1]:8080',"
                            + " '*']}"))
                .server()
                .corsOrigins())
        .containsExactly("https://app.example", "http://[::1]:8080", "*");
    assertThat(
            problems(
                minimal("'server': {'cors_origins': ['https://app.example/', 'app', 5, 'null']}")))
        .hasSize(4);
  }

  @Test
  @DisplayName("refuse HTTP/2, and TLS without both of its files")
  void server() {
    assertThat(problems(minimal("'server': {'http2': true}")))
        .singleElement()
        .asString()
        .startsWith("/server/http2: must be false: this host speaks HTTP/1.1");
    assertThat(problems(minimal("'server': {'tls': {}}")))
        .containsExactly("/server/tls/certificate: is required", "/server/tls/key: is required");
    assertThat(problems(minimal("'server': {'tls': {'certificate': '', 'key': 1, 'cert': 'x'}}")))
        .hasSize(3)
        .anyMatch(problem -> problem.startsWith("/server/tls/certificate: must be the path"))
        .anyMatch(problem -> problem.startsWith("/server/tls/key: must be the path"))
        .anyMatch(problem -> problem.startsWith("/server/tls/cert: is not a member here"));
    assertThat(problems(minimal("'server': {'drain_delay_ms': -1, 'tls': 'own.pem'}"))).hasSize(4);
    assertThat(accept(minimal("'server': {'admin': {'port': 9001}}")).server().admin())
        .isEqualTo(new ServerSettings.Listener("127.0.0.1", 9001));
    assertThat(problems(minimal("'server': {'trusted_proxies': ['10.0.0.0/33', 'proxy.test', 5]}")))
        .hasSize(3)
        .allMatch(problem -> problem.contains("must be an IP address, or a CIDR block"));
    assertThat(
            accept(minimal("'server': {'trusted_proxies': ['10.0.0.0/8', '::1']}"))
                .server()
                .trustedProxies())
        .hasToString("[10.0.0.0/8, 0:0:0:0:0:0:0:1/128]");
    assertThat(accept(minimal("'server': {'tls': null, 'http2': false}")).server().tls()).isNull();
  }

  @Test
  @DisplayName("accept private networks and ports that the gateway may connect to")
  void network() {
    assertThat(accept(minimal("'network': {'allow_private': []}")).network().allowPrivate())
        .isEmpty();
    NetworkSettings network =
        accept(
                minimal(
                    "'network': {'allow_private': ['127.0.0.1', '10.0.0.0/8'], 'allowed_ports':"
                        + " [1]}"))
            .network();
    assertThat(network.allowPrivate())
        .containsExactly(IpNetwork.parse("127.0.0.1"), IpNetwork.parse("10.0.0.0/8"));
    assertThat(network.allowedPorts()).containsExactly(1);
    assertThat(problems(minimal("'network': {'allow_private': ['10.0.0.0/33', 7]}")))
        .containsExactly(
            "/network/allow_private/0: must be an IP address, or a CIDR block such as 10.0.0.0/8,"
                + " was \"10.0.0.0/33\"",
            "/network/allow_private/1: must be an IP address, or a CIDR block such as 10.0.0.0/8,"
                + " was 7");
    assertThat(problems(minimal("'outgoing': {}")))
        .singleElement()
        .asString()
        .contains("/outgoing");
  }

  @ParameterizedTest(name = "{0} for {1}")
  @DisplayName("accept the settings of these plugins in their own section or in plugins.settings")
  @CsvSource({
    "search, web",
    "fetch, web-fetch",
    "files, file-parser",
    "moderation, moderation",
    "fusion, fusion"
  })
  void pluginSections(String section, String plugin) {
    PluginSettings settings = accept(minimal("'" + section + "': {'a': 1, 'b': null}")).plugins();
    assertThat(settings.settings()).containsOnlyKeys(plugin);
    assertThat(settings.settings().get(plugin)).isEqualTo(TestConfigs.json("{'a': 1}"));
    assertThat(settings.pointerTo(plugin)).hasToString("/" + section);
    String elsewhere = "'plugins': {'settings': {'" + plugin + "': {}}}";
    assertThat(accept(minimal(elsewhere)).plugins().pointerTo(plugin))
        .hasToString("/plugins/settings/" + plugin);
    assertThat(problems(minimal("'" + section + "': {}, " + elsewhere)))
        .containsExactly(
            "/"
                + section
                + ": cannot be combined with plugins.settings."
                + plugin
                + ", which sets the same plugin: remove one of them");
    assertThat(problems(minimal("'" + section + "': []")))
        .containsExactly("/" + section + ": must be an object, was an array");
    assertThat(accept(minimal("'" + section + "': null")).plugins()).isEqualTo(PluginSettings.NONE);
  }

  @Test
  @DisplayName("accept every documented name, with these defaults")
  void fixedNames() {
    String all =
        """
          'network': { 'allow_private': [] },
          'search': { 'default': null, 'engines': [
            { 'name': 'house', 'kind': 'json', 'url': 'http://127.0.0.1:9900/search?q={query}&n={max_results}', 'headers': { 'X-Key': '${SEARCH_KEY}' },
              'results': '/results', 'fields': { 'url': '/url', 'title': '/title', 'text': '/text' }, 'price_per_request': '0' },
            { 'name': 'exa', 'kind': 'exa', 'api_key': '${EXA_KEY}', 'url': null } ] },
          'fetch': { 'max_bytes': 5242880, 'timeout_ms': 10000, 'max_redirects': 5, 'user_agent': null },
          'files': { 'max_pages': 2000, 'max_bytes': 33554432, 'timeout_ms': 30000, 'ocr': [] },
          'moderation': { 'action': 'flag', 'answers': false, 'patterns': [] },
          'fusion': { 'presets': { 'general-high': { 'analysis_models': ['acme/large', 'acme/small'], 'model': 'acme/large' } } },
          'plugins_dir': null,
          'overload': { 'body_bytes': null, 'in_flight': null, 'per_key': null, 'per_endpoint': null, 'queue': 100, 'queue_ms': 500 },
          'batches': { 'workers': 4, 'lease_seconds': 60, 'live_share': 0.5 },
          'telemetry': { 'metrics': true, 'otlp': null, 'otlp_headers': {}, 'sample_ratio': 1, 'follow_callers': true },
          'observability_queue': { 'directory': null, 'max_mib': 256, 'gather_ms': 100 },
          'server': { 'tls': { 'certificate': 'FILE', 'key': 'FILE' }, 'http2': false, 'cors_origins': [], 'trusted_proxies': [], 'drain_delay_ms': 0 }
        """;
    GatewayConfig config =
        TestConfigs.read(minimal(all), Map.of("SEARCH_KEY", "s", "EXA_KEY", "e")).orThrow();
    GatewayConfig smallest = accept(minimal(""));
    assertThat(config.overload()).isEqualTo(smallest.overload());
    assertThat(config.batches()).isEqualTo(smallest.batches());
    assertThat(config.network()).isEqualTo(smallest.network());
    assertThat(config.pluginsDir()).isNull();
    assertThat(config.server().drainDelay()).isEqualTo(smallest.server().drainDelay());
    assertThat(config.unusedMemberWarnings()).isEmpty();
    assertThat(config.telemetry()).isEqualTo(smallest.telemetry());
    assertThat(config.observabilityQueue()).isEqualTo(smallest.observabilityQueue());
    assertThat(problems(minimal("'telemetry': {'metrics': 1, 'otlp': 'x', 'traces': true}")))
        .containsExactly(
            "/telemetry/metrics: must be true or false, was 1",
            "/telemetry/otlp: must be an http or https address without user and fragment;"
                + " credentials go into otlp_headers",
            "/telemetry/traces: is not a member here; allowed: metrics, public_metrics, otlp,"
                + " otlp_headers, sample_ratio, follow_callers");
  }

  @Test
  @DisplayName("telemetry: enables only metrics for the admin address by default")
  void telemetry() {
    TelemetrySettings standard = accept(minimal("")).telemetry();
    assertThat(standard.metricsEnabled()).isTrue();
    assertThat(standard.publicMetricsEnabled()).isFalse();
    assertThat(standard.traces()).isNull();
    TelemetrySettings all =
        accept(
                minimal(
                    "'telemetry': {'public_metrics': true, 'otlp':"
                        + " 'https://collector:4318/x?key=pass', 'otlp_headers': {'Authorization':"
                        + " 'Basic pass'}, 'sample_ratio': 0.25, 'follow_callers': false}"))
            .telemetry();
    assertThat(all.publicMetricsEnabled()).isTrue();
    assertThat(all.traces())
        .isEqualTo(
            new TelemetrySettings.Traces(
                "https://collector:4318/x?key=pass",
                Map.of("Authorization", "Basic pass"),
                0.25,
                false));
    assertThat(all.toString()).contains("Authorization").doesNotContain("pass");
    TelemetrySettings.Traces plain =
        accept(minimal("'telemetry': {'otlp': 'http://collector:4318'}")).telemetry().traces();
    assertThat(plain)
        .isEqualTo(new TelemetrySettings.Traces("http://collector:4318", Map.of(), 1, true));
    assertThat(problems(minimal("'telemetry': {'metrics': false, 'public_metrics': true}")))
        .containsExactly(
            "/telemetry/public_metrics: must be false when metrics is false, was true");
  }

  @Test
  @DisplayName(
      "observability_queue: uses no disk by default, and gathers calls for a tenth of a second")
  void observabilityQueue() {
    DestinationQueueSettings standard = accept(minimal("")).observabilityQueue();
    assertThat(standard.directory()).isNull();
    assertThat(standard.maxBytes()).isEqualTo(256L << 20);
    assertThat(standard.gatheringTime()).isEqualTo(Duration.ofMillis(100));
    GatewayConfig named =
        accept(minimal("'observability_queue': {'directory': '/var/q', 'max_mib': 1000000}"));
    assertThat(named.observabilityQueue().directory()).isEqualTo(Path.of("/var/q"));
    assertThat(named.observabilityQueue().maxBytes()).isEqualTo(1_000_000L << 20);
    assertThat(named.startOnlyChangesFrom(accept(minimal(""))))
        .containsExactly("observability_queue.directory", "observability_queue.max_mib");
    for (int millis : List.of(0, 10_000)) {
      assertThat(
              accept(minimal("'observability_queue': {'gather_ms': " + millis + "}"))
                  .observabilityQueue()
                  .gatheringTime())
          .isEqualTo(Duration.ofMillis(millis));
    }
    assertThat(
            problems(
                minimal("'observability_queue': {'directory': 'q', 'max_mib': 0, 'path': 'q'}")))
        .containsExactly(
            "/observability_queue/directory: must be the absolute path of a directory, was \"q\"",
            "/observability_queue/max_mib: must be a whole number from 1 to 1000000, was 0",
            "/observability_queue/path: is not a member here; allowed: directory, max_mib,"
                + " gather_ms");
    assertThat(problems(minimal("'observability_queue': {'gather_ms': -1}")))
        .containsExactly(
            "/observability_queue/gather_ms: must be a whole number from 0 to 10000, was -1");
    assertThat(problems(minimal("'observability_queue': {'gather_ms': 10001}")))
        .containsExactly(
            "/observability_queue/gather_ms: must be a whole number from 0 to 10000, was 10001");
    assertThat(problems(minimal("'observability_queue': {'directory': 5}")))
        .containsExactly(
            "/observability_queue/directory: must be the absolute path of a directory, was 5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://user:pass@collector:4318",
        "https://pass@collector",
        "https://collector/#pass",
        "ftp://collector/pass",
        "http://collector:99999/pass",
        "http://collec tor/pass"
      })
  @DisplayName("telemetry: refuses an address with credentials or errors, without showing it")
  void otlpAddress(String address) {
    assertThat(problems(minimal("'telemetry': {'otlp': '%s'}".formatted(address))))
        .containsExactly(
            "/telemetry/otlp: must be an http or https address without user and fragment;"
                + " credentials go into otlp_headers");
  }

  @Test
  @DisplayName("telemetry: refuses headers that cannot be sent, without showing their values")
  void otlpHeaders() {
    assertThat(
            problems(
                minimal(
                    "'telemetry': {'otlp': 'http://c', 'otlp_headers': {'a b': 'pass', 'X': 1,"
                        + " 'Y': 'pa\\nss', 'Content-Type': 'pass', 'z': 'pass', 'Z': 'pass'},"
                        + " 'sample_ratio': 1.5, 'follow_callers': 1}")))
        .containsExactly(
            "/telemetry/otlp_headers/a b: is not a header name",
            "/telemetry/otlp_headers/X: must be printable text without line breaks",
            "/telemetry/otlp_headers/Y: must be printable text without line breaks",
            "/telemetry/otlp_headers/Content-Type: is a header the gateway sets itself",
            "/telemetry/otlp_headers/Z: is a header that is named twice, ignoring case",
            "/telemetry/sample_ratio: must be a number from 0 to 1, was 1.5",
            "/telemetry/follow_callers: must be true or false, was 1");
    assertThat(problems(minimal("'telemetry': {'otlp_headers': {'a': 'pass'}}")))
        .containsExactly("/telemetry/otlp_headers: must be left out when otlp is left out");
  }
}
