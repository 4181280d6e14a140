package io.strowger.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A configuration made in code")
class ConfigBuilderTest {
  private static final String KEY = "sk-app-0123456789abcdef";

  private static ConfigBuilder validBuilder() {
    return GatewayConfig.builder()
        .provider("acme", "openai-chat", "https://api.acme.example/v1", p -> p.apiKey("sk-up"))
        .model(
            "acme/large",
            m -> m.endpoint("acme", e -> e.upstreamModel("large").usdPerMillion("1", "2.5")))
        .key("app", KEY, k -> k.limit("10", Period.DAILY));
  }

  private static List<String> pointers(GatewayException refused) {
    return refused.error().problems().stream()
        .map(Problem::pointer)
        .map(JsonPointer::toString)
        .toList();
  }

  @Test
  @DisplayName("equals one read from a file with the same members")
  void sameAsFile() {
    GatewayConfig file =
        ConfigReader.standard()
            .read(
                """
                { "providers": [ { "slug": "acme", "protocol": "openai-chat",
                    "base_url": "https://api.acme.example/v1", "api_key": "sk-up" } ],
                  "models": [ { "id": "acme/large", "endpoints": [ { "provider": "acme",
                    "upstream_model": "large",
                    "pricing": { "prompt": "0.000001", "completion": "0.0000025" } } ] } ],
                  "keys": [ { "name": "app", "key": "sk-app-0123456789abcdef", "limit": 10,
                    "limit_reset": "daily" } ] }
                """
                    .getBytes(StandardCharsets.UTF_8))
            .orThrow();
    GatewayConfig built = validBuilder().build();
    assertThat(built.catalog().version()).isEqualTo(file.catalog().version());
    assertThat(built.keys()).isEqualTo(file.keys());
    assertThat(built.providers().getFirst().credential()).isEqualTo(new Credential("sk-up"));
    assertThat(built.keys().getFirst().limit()).isEqualTo(Usd.ofDollars(BigDecimal.TEN));
    assertThat(built.startOnlyChangesFrom(file)).isEmpty();
  }

  @Test
  @DisplayName("sets all other members by name or JSON pointer")
  void others() {
    GatewayConfig config =
        validBuilder()
            .set("/timeouts/total_ms", Json.of(90_000))
            .set("/timeouts/connect_ms", Json.of(1_000))
            .set("/timeouts/total_ms", Json.of(60_000))
            .set("cache", Json.object().put("entries", Json.of(7)).build())
            .model(
                "acme/small",
                m ->
                    m.aliases("tiny")
                        .set("hidden", Json.TRUE)
                        .endpoint("acme", e -> e.price("request", "0.01").contextLength(4_096)))
            .key("admin", "sk-admin-0123456789abcdef", k -> k.management())
            .key("free", "sk-free-0123456789abcdef")
            .build();
    assertThat(config.timeouts().total()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.timeouts().connect()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.cache().entries()).isEqualTo(7);
    assertThat(config.keys())
        .extracting(KeyConfig::isManagement)
        .containsExactly(false, true, false);
    assertThat(config.catalog().version()).isNotEqualTo(validBuilder().build().catalog().version());
  }

  @Test
  @DisplayName("is refused with every problem and its pointer, but without secrets")
  void problems() {
    ConfigBuilder builder =
        GatewayConfig.builder()
            .provider(
                "Acme",
                "carrier-pigeon",
                "nowhere",
                p -> p.apiKey("two secrets").header("x", "s\n"))
            .model("acme/large", m -> m.endpoint("other", e -> e.usdPerMillion("cheap", "-1")))
            .model("acme/none", m -> {})
            .key("app", "sk secret", k -> k.limit("much").set("limit_reset", Json.of("hourly")))
            .set("/cache/entries", Json.of("many"))
            .set("colour", Json.of("blue"));
    GatewayException refused = catchThrowableOfType(GatewayException.class, builder::build);
    assertThat(refused.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(pointers(refused))
        .containsExactlyInAnyOrder(
            "/providers/0/slug",
            "/providers/0/protocol",
            "/providers/0/base_url",
            "/providers/0/api_key",
            "/providers/0/headers/x",
            "/models/0/endpoints/0/provider",
            "/models/0/endpoints/0/pricing/prompt",
            "/models/0/endpoints/0/pricing/completion",
            "/models/1/endpoints",
            "/keys/0/key",
            "/keys/0/limit",
            "/keys/0/limit_reset",
            "/cache/entries",
            "/colour");
    assertThat(refused).hasMessageNotContaining("secret").hasMessageContaining("cheap");
    assertThat(builder.toString()).isEqualTo("configuration with 1 providers, 2 models, 1 keys");
  }

  @Test
  @DisplayName("uses secrets literally, and shows none of them")
  void secrets() {
    GatewayConfig config =
        GatewayConfig.builder()
            .provider(
                "acme",
                "openai-chat",
                "https://api.acme.example/v1",
                p -> p.apiKey("${HOME}$").header("x-team", "${NOT_SET}"))
            .model("acme/large", m -> m.endpoint("acme", e -> {}))
            .key("app", "sk-${HOME}")
            .build();
    assertThat(config.providers().getFirst().credential()).isEqualTo(new Credential("${HOME}$"));
    assertThat(config.providers().getFirst().headers()).isEqualTo(Map.of("x-team", "${NOT_SET}"));
    assertThat(config.toString()).doesNotContain("HOME");
    assertThat(config.keys()).isNotEqualTo(validBuilder().key("app", "sk-/root").build().keys());
  }

  @Test
  @DisplayName("can take a credential from an environment variable, which must be set")
  void variables() {
    ConfigBuilder builder =
        GatewayConfig.builder()
            .provider(
                "acme", "homing", "https://api.acme.example/v1", p -> p.apiKeyFrom("ACME_KEY"))
            .model("acme/large", m -> m.endpoint("acme", e -> {}));
    var reader =
        new ConfigReader(new JacksonCodec(), name -> "value-of-" + name)
            .withProtocols(List.of("homing"));
    assertThat(builder.build(reader).providers().getFirst().credential())
        .isEqualTo(new Credential("value-of-ACME_KEY"));
    var withoutVariables = new ConfigReader(new JacksonCodec(), name -> null);
    GatewayException refused =
        catchThrowableOfType(GatewayException.class, () -> builder.build(withoutVariables));
    assertThat(pointers(refused)).containsExactly("/providers/0/api_key", "/providers/0/protocol");
    assertThat(refused).hasMessageContaining("ACME_KEY, which is not set");
  }

  @Test
  @DisplayName("cannot set a member that has its own method, or a pointer through another value")
  void refused() {
    assertThatThrownBy(() -> validBuilder().set("/models/0/id", Json.of("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("models has its own method");
    assertThatThrownBy(
            () -> validBuilder().set("cache", Json.of(1)).set("/cache/entries", Json.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/cache/entries leads through cache");
    assertThatThrownBy(() -> validBuilder().model("a", m -> m.set("endpoints", Json.array())))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
