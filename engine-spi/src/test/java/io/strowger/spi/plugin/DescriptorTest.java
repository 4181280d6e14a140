package io.strowger.spi.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A descriptor")
class DescriptorTest {
  private static final Field<Boolean> LOUD = Fields.bool("loud", false, "Louder.");

  @Test
  @DisplayName("needs only a kind and an id")
  void defaults() {
    Descriptor router = Descriptor.router("best-under").build();
    assertThat(router.kind()).isEqualTo(Descriptor.Kind.ROUTER);
    assertThat(router.version()).isEqualTo("1");
    assertThat(router.slugs()).isEmpty();
    assertThat(router.schema().fields()).isEmpty();
    Descriptor interceptor = Descriptor.interceptor("redactor").build();
    assertThat(interceptor.kind()).isEqualTo(Descriptor.Kind.INTERCEPTOR);
    assertThat(interceptor.order()).isGreaterThan(router.order());
  }

  @Test
  @DisplayName("is equal only to one with the same values")
  void equality() {
    assertThat(full().build()).isEqualTo(full().build()).hasSameHashCodeAs(full().build());
    for (Descriptor other :
        List.of(
            full().version("3").build(),
            full().order(8).build(),
            full().slug("acme/c").build(),
            full().fields().build(),
            Descriptor.router("y").build(),
            Descriptor.interceptor("x").build())) {
      assertThat(full().build()).isNotEqualTo(other);
    }
    assertThat(full().build().slugs()).containsExactly("acme/a", "acme/b");
    assertThat(full().build()).hasToString("x 2");
  }

  private static Descriptor.Builder full() {
    return Descriptor.router("x")
        .version("2")
        .order(7)
        .slug("acme/a")
        .slugs(List.of("acme/b"))
        .fields(LOUD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Best", "best_under", "-best", "best-", "best--under", "best under"})
  @DisplayName("refuses an id that is not lower-case words joined by hyphens:")
  void ids(String id) {
    assertThatThrownBy(() -> Descriptor.router(id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lower-case words joined by hyphens, was " + id);
  }
}
