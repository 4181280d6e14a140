package io.strowger.spi.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.json.Json;
import java.util.List;
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
  @DisplayName(
      "is refused when a list is neither a list nor null, for that would lift a restriction")
  void wrongLists() {
    for (String name : List.of("only", "ignore", "order", "allow_fallbacks")) {
      Json.Obj wishes = (Json.Obj) GOOD.get("provider");
      Json.Obj wrong = wishes == null ? GOOD : wishes.with(name, Json.of("alpha"));
      assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.with("provider", wrong)))
          .as(name)
          .hasMessageContaining(name);
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
    assertThatThrownBy(() -> RoutingQuery.fromJson(GOOD.with("version", Json.of(2))))
        .isInstanceOf(IllegalArgumentException.class);
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
