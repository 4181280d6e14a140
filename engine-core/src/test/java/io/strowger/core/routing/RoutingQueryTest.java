package io.strowger.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PercentilePreferences;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A routing query read from JSON")
class RoutingQueryTest {
  private static final Json.Obj GOOD =
      RoutingQuery.builder("v1").models(List.of(ModelRef.parse("a/b"))).build().toJson();

  @Test
  @DisplayName("is refused when a member is missing or of another type, by its name")
  void wrongMembers() {
    for (int i = 0; i < GOOD.size(); i++) {
      String name = GOOD.name(i);
      assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.with(name, Json.Obj.EMPTY)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.without(name)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("is refused when a preference is of another type, for that would lift a restriction")
  void wrongPreferences() {
    Json.Obj wishes = Objects.requireNonNull(GOOD.object("provider"));
    for (int i = 0; i < wishes.size(); i++) {
      String name = wishes.name(i);
      for (Json.Obj wrong : List.of(wishes.with(name, Json.of(7)), wishes.without(name))) {
        assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.with("provider", wrong)))
            .as(name)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(name);
      }
    }
    for (String name : List.of("sort_by", "sort_partition")) {
      Json.Obj wrong = wishes.with(name, Json.of("other"));
      assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.with("provider", wrong)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("is refused when a number does not fit")
  void tooLarge() {
    for (String name : List.of("input_modalities", "output_limit", "default_output_tokens")) {
      assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.with(name, Json.of(1L << 31))))
          .hasMessageContaining(name);
    }
  }

  @Test
  @DisplayName("of another version is refused")
  void version() {
    for (int version : new int[] {0, 2, 4}) {
      assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.with("version", Json.of(version))))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("has cutoffs of at least 0")
  void cutoffs() {
    assertThat(new PercentilePreferences(0L, null, null, 0L).p50()).isZero();
    assertThatThrownBy(() -> new PercentilePreferences(null, null, null, -1L))
        .hasMessageContaining("was -1");
  }

  @Test
  @DisplayName("names models as they were written, variants in order")
  void models() {
    for (String name : List.of("a/b", "a/b:free", "a/b:free:nitro", "a/b:", ":x", "")) {
      assertThat(ModelRef.parse(name)).hasToString(name);
    }
    assertThat(ModelRef.parse("a/b:x:y")).isEqualTo(new ModelRef("a/b", List.of("x", "y")));
  }
}
