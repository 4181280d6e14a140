package io.strowger.spi.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Catalog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A value per catalog")
class PerCatalogTest {
  private final List<String> computed = new ArrayList<>();
  private final PerCatalog<String> versions =
      new PerCatalog<>(
          catalog -> {
            computed.add(catalog.version());
            return "of " + catalog.version();
          });

  @Test
  @DisplayName("is computed once for the latest catalog, and again for an earlier one")
  void once() {
    Catalog one = Catalog.builder("one").build();
    Catalog two = Catalog.builder("two").build();
    assertThat(versions.of(one)).isEqualTo("of one");
    assertThat(versions.of(one)).isEqualTo("of one");
    assertThat(versions.of(two)).isEqualTo("of two");
    assertThat(versions.of(two)).isEqualTo("of two");
    assertThat(versions.of(one)).isEqualTo("of one");
    assertThat(computed).containsExactly("one", "two", "one");
  }

  @Test
  @DisplayName("belongs to the catalog itself, not to its version")
  void identity() {
    versions.of(Catalog.builder("one").build());
    versions.of(Catalog.builder("one").build());
    assertThat(computed).containsExactly("one", "one");
  }

  @Test
  @DisplayName("must not be null, and a failure to compute it is not cached")
  @SuppressWarnings("NullAway") // returns null on purpose
  void failure() {
    Catalog catalog = Catalog.builder("one").build();
    var nothing = new PerCatalog<String>(any -> null);
    assertThatThrownBy(() -> nothing.of(catalog)).isInstanceOf(NullPointerException.class);
    var calls = new int[1];
    var recovering =
        new PerCatalog<String>(
            any -> {
              if (calls[0]++ == 0) {
                throw new IllegalStateException("once");
              }
              return "fine";
            });
    assertThatThrownBy(() -> recovering.of(catalog)).hasMessage("once");
    assertThat(recovering.of(catalog)).isEqualTo("fine");
  }
}
