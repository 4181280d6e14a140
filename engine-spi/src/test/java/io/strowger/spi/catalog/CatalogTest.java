package io.strowger.spi.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A catalog")
class CatalogTest {
  private static final ProviderInfo ALPHA = provider("alpha", "Alpha Labs");
  private static final ProviderInfo BETA = provider("beta", "Beta");

  private static ProviderInfo provider(String slug, String name) {
    return new ProviderInfo(slug, name, false, false, null, false);
  }

  private static Endpoint endpoint(ProviderInfo provider, String tag, long promptPicos) {
    return Endpoint.builder("author/m", provider)
        .tag(tag)
        .pricing(Pricing.builder().set(Price.PROMPT, new UnitPrice(promptPicos)).build())
        .build();
  }

  private static Catalog of(Endpoint... endpoints) {
    return Catalog.builder("v1")
        .add(
            ModelInfo.builder("author/m").aliases(List.of("author/old", "Short")).build(),
            List.of(endpoints))
        .build();
  }

  @Test
  @DisplayName("sorts a model's endpoints by price and then by tag, and numbers them in this order")
  void order() {
    Catalog catalog = of(endpoint(BETA, "b", 5), endpoint(ALPHA, "z", 1), endpoint(ALPHA, "a", 5));
    assertThat(catalog.models().getFirst().endpoints())
        .extracting(Endpoint::tag)
        .containsExactly("z", "a", "b");
    assertThat(catalog.endpoints()).extracting(Endpoint::ordinal).containsExactly(0, 1, 2);
    assertThat(catalog.endpoints()).isEqualTo(catalog.models().getFirst().endpoints());
  }

  @Test
  @DisplayName("finds a model by id or alias in any case, and no other")
  void models() {
    Catalog catalog = of(endpoint(ALPHA, "a", 1));
    for (String name : List.of("author/m", "AUTHOR/M", "author/OLD", "short")) {
      assertThat(catalog.model(name)).as(name).isSameAs(catalog.models().getFirst());
    }
    assertThat(catalog.model("author/m:free")).isNull();
    assertThat(catalog.model("")).isNull();
  }

  @Test
  @DisplayName("ranks models by a score, best first, equal ones by price and then by id")
  void ranked() {
    Catalog catalog =
        Catalog.builder("v1")
            .add(scored("x/low", 0.1).build(), List.of(at("x/low", 1)))
            .add(scored("x/b", 0.9).build(), List.of(at("x/b", 5)))
            .add(scored("x/a", 0.9).build(), List.of(at("x/a", 5)))
            .add(scored("x/cheap", 0.9).build(), List.of(at("x/cheap", 2)))
            .add(ModelInfo.builder("x/unscored").build(), List.of(at("x/unscored", 1)))
            .add(scored("x/hidden", 1).isHidden(true).build(), List.of(at("x/hidden", 1)))
            .add(scored("x/served-by-nobody", 1).build(), List.of())
            .build();
    assertThat(
            Arrays.stream(catalog.rankBy(ModelInfo::codingScore)).mapToObj(catalog.models()::get))
        .extracting(ModelInfo::id)
        .containsExactly("x/cheap", "x/a", "x/b", "x/low");
    assertThat(catalog.rankBy(ModelInfo::intelligenceScore)).isEmpty();
  }

  private static ModelInfo.Builder scored(String id, double score) {
    return ModelInfo.builder(id).codingScore(score);
  }

  private static Endpoint at(String model, long promptPicos) {
    return Endpoint.builder(model, ALPHA)
        .pricing(Pricing.builder().set(Price.PROMPT, new UnitPrice(promptPicos)).build())
        .build();
  }

  @Test
  @DisplayName("prefers an id to an alias of the same name")
  void idWins() {
    Catalog catalog =
        Catalog.builder("v1")
            .add(ModelInfo.builder("x/a").aliases(List.of("x/b")).build(), List.of())
            .add(ModelInfo.builder("x/b").build(), List.of())
            .build();
    assertThat(catalog.model("x/b")).isSameAs(catalog.models().get(1));
  }

  @Test
  @DisplayName("finds a provider by slug or shown name in any case")
  void providers() {
    Catalog catalog = of(endpoint(ALPHA, "a", 1), endpoint(BETA, "b", 2));
    assertThat(catalog.providerOrdinal("alpha")).isZero();
    assertThat(catalog.providerOrdinal("ALPHA labs")).isZero();
    assertThat(catalog.providerOrdinal("Beta")).isEqualTo(1);
    assertThat(catalog.providerOrdinal("gamma")).isEqualTo(-1);
    assertThat(catalog.providers()).containsExactly(ALPHA, BETA);
  }

  @Test
  @DisplayName("gives equal tags one number, whatever model they belong to")
  void tags() {
    Catalog catalog =
        Catalog.builder("v1")
            .add(ModelInfo.builder("x/a").build(), List.of(endpoint(ALPHA, "Alpha/Turbo", 1)))
            .add(ModelInfo.builder("x/b").build(), List.of(endpoint(ALPHA, "alpha/turbo", 1)))
            .build();
    assertThat(catalog.endpoints()).extracting(Endpoint::tagOrdinal).containsExactly(0, 0);
    assertThat(catalog.tagOrdinal("ALPHA/turbo")).isZero();
    assertThat(catalog.tagOrdinal("alpha")).isEqualTo(-1);
  }

  @Test
  @DisplayName("refuses two models of one id and two endpoints of one tag, in any case")
  void duplicates() {
    assertThatThrownBy(() -> of(endpoint(ALPHA, "a", 1), endpoint(BETA, "A", 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("author/m");
    var builder = Catalog.builder("v1").add(ModelInfo.builder("x/a").build(), List.of());
    assertThatThrownBy(() -> builder.add(ModelInfo.builder("X/A").build(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("X/A");
  }

  @Test
  @DisplayName(
      "blends prices as three prompt tokens, one output token and a thousandth of a request")
  void blended() {
    Pricing pricing =
        Pricing.builder()
            .set(Price.PROMPT, new UnitPrice(10))
            .set(Price.COMPLETION, new UnitPrice(7))
            .set(Price.REQUEST, new UnitPrice(1000))
            .build();
    Endpoint endpoint = Endpoint.builder("x/a", ALPHA).pricing(pricing).build();
    // quarters of a picodollar: 3 x 10 + 7, and 4 x 1000 / 1000
    assertThat(endpoint.blendedPrice()).isEqualTo(41);
  }

  @Test
  @DisplayName("finds parameters by wire name, and represents each by a bit of its own")
  void parameters() {
    assertThat(Parameter.ofWireName("top_k")).contains(Parameter.TOP_K);
    assertThat(Parameter.ofWireName("TOP_K")).isEmpty();
    assertThat(Parameter.mask(List.of(Parameter.values()))).isEqualTo(Parameter.ALL);
    Endpoint endpoint = Endpoint.builder("x/a", ALPHA).parameters(Parameter.TOOLS.bit()).build();
    assertThat(endpoint.supports(Parameter.TOOLS)).isTrue();
    assertThat(endpoint.supports(Parameter.STOP)).isFalse();
  }
}
