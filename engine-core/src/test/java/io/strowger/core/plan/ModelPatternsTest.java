package io.strowger.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Patterns of model ids")
class ModelPatternsTest {
  private static final PlanIndex INDEX = index("acme/large", "acme/large:free", "zeta/large");

  private static PlanIndex index(String... ids) {
    Catalog.Builder catalog = Catalog.builder("test");
    for (String id : ids) {
      catalog.add(ModelInfo.builder(id).build(), List.of());
    }
    return new PlanIndex(catalog.build());
  }

  @Proves({"plugins.auto.wildcards", "open.51"})
  @ParameterizedTest(name = "{0} fits {1}: {2}")
  @DisplayName("accept * for any run of characters, anywhere, and ignore case")
  @CsvSource({
    "acme/large, acme/large, true",
    "ACME/Large, acme/LARGE, true",
    "acme/large, acme/larger, false",
    "acme/larg, acme/large, false",
    "acme/*, acme/large, true",
    "acme/*, acme/, true",
    "acme/*, acme2/large, false",
    "*/large, acme/large, true",
    "*large, acme/large-2, false",
    "*, acme/large, true",
    "**, acme/large, true",
    "a*e/l*e, acme/large, true",
    "a*z*e, acme/large, false",
    "ab*ba, aba, false",
    "ab*ba, abba, true",
    "*a*a*, acme/lrge, false",
    "*a*a*, acme/large, true",
    "a*l*l*, acme/lrge, false",
    "acme/*-*-mini, acme/large-2-mini, true",
    "acme/*-*-mini, acme/large-mini, false",
    "acme/large, acme/large:free, true",
    "acme/*ge, acme/large:free, true",
    "acme/*:free, acme/large:free, true",
    "acme/*:free, acme/large, false",
    "acme/large:free, acme/large, false",
    "acme/l?rge, acme/large, false",
    "acme.large, acme/large, false",
    "'', acme/large, false",
  })
  void fit(String pattern, String id, boolean fits) {
    assertThat(new ModelPatterns(List.of(pattern)).matches(id)).isEqualTo(fits);
  }

  @Test
  @DisplayName("compile to a set of the catalog's models, and the same list to the same set")
  void sets() {
    var set = INDEX.matching(List.of("acme/large", "nobody/*"));
    assertThat(set.contains(0)).isTrue();
    assertThat(set.contains(1)).isTrue();
    assertThat(set.contains(2)).isFalse();
    assertThat(set.size()).isEqualTo(2);
    assertThat(INDEX.matching(new ArrayList<>(List.of("acme/large", "nobody/*")))).isSameAs(set);
    assertThat(INDEX.matching(List.of()).size()).isZero();
  }

  @Test
  @DisplayName("are not cached when they are long or when there are many, but still match")
  void bounded() {
    var first = List.of("acme/*", "first");
    var set = INDEX.matching(first);
    for (int i = 0; i < 1000; i++) {
      assertThat(INDEX.matching(List.of("zeta/*", "p" + i)).size()).isEqualTo(1);
    }
    assertThat(INDEX.matching(first)).isEqualTo(set).isNotSameAs(set);
    var longList = Collections.nCopies(1, "*large" + "*".repeat(5000));
    assertThat(INDEX.matching(longList)).isNotSameAs(INDEX.matching(longList));
    assertThat(INDEX.matching(longList).size()).isEqualTo(3);
  }

  @Test
  @DisplayName("are not affected by later changes of the list they were read from")
  void copied() {
    var list = new ArrayList<>(List.of("zeta/large"));
    assertThat(INDEX.matching(list).size()).isEqualTo(1);
    list.set(0, "acme/*");
    assertThat(INDEX.matching(list).size()).isEqualTo(2);
    assertThat(INDEX.matching(List.of("zeta/large")).size()).isEqualTo(1);
  }

  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("that are made to be slow are matched fast")
  void hostile() {
    String id = "a".repeat(50_000) + "b";
    var hostile = new ModelPatterns(Collections.nCopies(1, "*a".repeat(200_000) + "*c"));
    assertThat(hostile.matches(id)).isFalse();
    assertThat(new ModelPatterns(List.of("*a".repeat(20_000) + "*")).matches(id)).isTrue();
  }
}
