package io.strowger.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.store.Period;
import io.strowger.tck.conformance.Proves;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documented configuration file")
class DocumentedConfigTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "ALPHA_KEY", "plain-alpha",
          "APP_KEY", "plain-app",
          "ADMIN_KEY", "plain-admin",
          "OWN_ALPHA", "plain-own");

  private static ConfigResult read(Map<String, String> environment) {
    try (InputStream in =
        Objects.requireNonNull(DocumentedConfigTest.class.getResourceAsStream("documented.json"))) {
      return new ConfigReader(new JacksonCodec(), environment::get).read(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final GatewayConfig config = read(ENVIRONMENT).orThrow();

  @Test
  @DisplayName("is read into the documented settings")
  void settings() {
    assertThat(config.server())
        .isEqualTo(
            new ServerSettings("127.0.0.1", 8080, Duration.ofSeconds(20), Duration.ZERO, null));
    assertThat(config.limits())
        .isEqualTo(new RequestLimits(33_554_432, 209_715_200L, JsonLimits.DEFAULT, 50_000, 100));
    assertThat(config.timeouts())
        .isEqualTo(
            new Timeouts(
                Duration.ofSeconds(2),
                Duration.ofSeconds(60),
                null,
                Duration.ofSeconds(60),
                Duration.ofSeconds(600),
                null,
                2));
    assertThat(config.streaming().earlyHead()).isNull();
    assertThat(config.money())
        .isEqualTo(new MoneySettings(16_384, Usd.ofDollars(BigDecimal.valueOf(1_000_000)), null));
    assertThat(config.store().isInMemory()).isTrue();
    assertThat(config.cache()).isEqualTo(new CacheSettings(10_000, 64L << 20));
    assertThat(config.rates()).isEqualTo(new RateSettings(0, 0, 20, null));
  }

  @Proves("resources.batch.retention")
  @Test
  @DisplayName("contains every default: without its optional members the settings are the same")
  void defaults() {
    GatewayConfig smallest = TestConfigs.accept(TestConfigs.minimal(""));
    assertThat(smallest.server()).isEqualTo(config.server());
    assertThat(smallest.limits()).isEqualTo(config.limits());
    assertThat(smallest.timeouts()).isEqualTo(config.timeouts());
    assertThat(smallest.streaming()).isEqualTo(config.streaming());
    assertThat(smallest.money()).isEqualTo(config.money());
    assertThat(smallest.store().url()).isEqualTo(config.store().url());
    assertThat(smallest.account()).isEqualTo(config.account());
    assertThat(smallest.cache()).isEqualTo(config.cache());
    assertThat(smallest.rates()).isEqualTo(config.rates());
    assertThat(smallest.unusedMemberWarnings()).isEmpty();
  }

  @Test
  @DisplayName("has the provider with its credential from the environment")
  void provider() {
    ProviderConfig alpha = config.providers().getFirst();
    assertThat(alpha.info().name()).isEqualTo("Alpha");
    assertThat(alpha.info().retainsPrompts()).isFalse();
    assertThat(alpha.info().trainsOnPrompts()).isFalse();
    assertThat(alpha.protocol()).isEqualTo("openai-chat");
    assertThat(alpha.baseUri()).hasToString("http://127.0.0.1:9900/alpha/v1");
    assertThat(alpha.credential().reveal()).isEqualTo("plain-alpha");
  }

  @Test
  @DisplayName("has the model and its endpoint")
  void catalog() {
    ModelInfo model = Objects.requireNonNull(config.catalog().model("acme/large"));
    assertThat(model.createdAt()).isEqualTo(Instant.parse("2026-05-01T00:00:00Z"));
    assertThat(model.codingScore()).isEqualTo(0.9);
    assertThat(model.reasoning().efforts()).containsExactly("low", "medium", "high");
    Endpoint endpoint = model.endpoints().getFirst();
    assertThat(endpoint.id()).isEqualTo("acme/large@alpha/fp16");
    assertThat(endpoint.upstreamModel()).isEqualTo("large");
    assertThat(endpoint.pricing().picos(Price.PROMPT)).isEqualTo(1_000_000);
    assertThat(endpoint.pricing().overrides().getFirst().minPromptTokens()).isEqualTo(200_000L);
    assertThat(endpoint.contextLength()).isEqualTo(128_000);
    assertThat(endpoint.maxOutputTokens()).isEqualTo(16_384);
    assertThat(endpoint.quantization()).isEqualTo("fp16");
    assertThat(endpoint.parameterMask())
        .isEqualTo(
            Parameter.mask(List.of(Parameter.TEMPERATURE, Parameter.TOOLS, Parameter.TOOL_CHOICE)));
    assertThat(endpoint.inputModalities())
        .isEqualTo(Modality.mask(List.of(Modality.TEXT, Modality.IMAGE)));
    assertThat(endpoint.assumedThroughput()).isEqualTo(50);
    assertThat(endpoint.assumedLatencyMs()).isEqualTo(500);
  }

  @Test
  @DisplayName("has keys only as hashes")
  void keys() {
    assertThat(config.keys()).extracting(KeyConfig::name).containsExactly("app", "admin");
    KeyConfig app = config.keys().getFirst();
    assertThat(app.id().hex())
        .isEqualTo("e9835c3da850852093992c84fb7c4c6c733f3bb4d11e2f82e96a73c9b30a3ff5");
    assertThat(app.limit()).isNull();
    assertThat(app.reset()).isEqualTo(Period.LIFETIME);
    assertThat(config.keys().get(1).isManagement()).isTrue();
    assertThat(config.byokKeys().getFirst().credential().reveal()).isEqualTo("plain-own");
  }

  @Test
  @DisplayName("has no member without effect")
  void withoutEffect() {
    assertThat(config.unusedMemberWarnings()).isEmpty();
  }

  @Test
  @DisplayName("is refused with exactly the environment variables that are not set")
  void missingVariables() {
    assertThat(read(Map.of("APP_KEY", "a")).problems())
        .extracting(Problem::toString)
        .containsExactly(
            "/providers/0/api_key: needs the environment variable ALPHA_KEY, which is not set",
            "/keys/1/key: needs the environment variable ADMIN_KEY, which is not set",
            "/byok_keys/0/key: needs the environment variable OWN_ALPHA, which is not set");
  }
}
