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
  private static final Json.Obj VALID =
      RoutingQuery.builder("v1").models(List.of(ModelRef.parse("a/b"))).build().toJson();

  @Test
  @DisplayName("is refused when a member is missing, which is named, or of another type")
  void wrongMembers() {
    for (int i = 0; i < VALID.size(); i++) {
      String name = VALID.name(i);
      assertThatThrownBy(() -> RoutingQuery.fromJson(VALID.with(name, Json.Obj.EMPTY)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> RoutingQuery.fromJson(VALID.without(name)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  @DisplayName(
      "is refused when a preference is missing or of another type, which would lift a restriction")
  void wrongPreferences() {
    Json.Obj preferences = Objects.requireNonNull(VALID.object("provider"));
    for (int i = 0; i < preferences.size(); i++) {
      String name = preferences.name(i);
      for (Json.Obj wrong :
          List.of(preferences.with(name, Json.of(7)), preferences.without(name))) {
        assertThatThrownBy(() -> RoutingQuery.fromJson(VALID.with("provider", wrong)))
            .as(name)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(name);
      }
    }
    for (String name : List.of("sort_by", "sort_partition")) {
      Json.Obj wrong = preferences.with(name, Json.of("other"));
      assertThatThrownBy(() -> RoutingQuery.fromJson(VALID.with("provider", wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("has a member " + name + " of an unexpected form");
    }
  }

  @Test
  @DisplayName("is refused when a number does not fit into an int")
  void tooLarge() {
    for (String name : List.of("input_modalities", "output_limit", "default_output_tokens")) {
      assertThatThrownBy(() -> RoutingQuery.fromJson(VALID.with(name, Json.of(1L << 31))))
          .hasMessageContaining(name);
    }
  }

  @Test
  @DisplayName("of another version is refused")
  void version() {
    for (int version : new int[] {0, 2, 4}) {
      assertThatThrownBy(() -> RoutingQuery.fromJson(VALID.with("version", Json.of(version))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("has a routing query of version " + version);
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
  @DisplayName("keeps models as they were written, with their variants in order")
  void models() {
    for (String name : List.of("a/b", "a/b:free", "a/b:free:nitro", "a/b:", ":x", "")) {
      assertThat(ModelRef.parse(name)).hasToString(name);
    }
    assertThat(ModelRef.parse("a/b:x:y")).isEqualTo(new ModelRef("a/b", List.of("x", "y")));
  }
}
