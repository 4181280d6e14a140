package io.strowger.tck;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fake view of what is feasible")
class FakeFeasibleTest {
  private final FakeFeasible all =
      FakeFeasible.of(
          catalog(
              endpoint("p", "acme/large", "3"),
              endpoint("q", "acme/large", "1"),
              endpoint("p", "acme/large:free", "0"),
              endpoint("p", "other/tiny", "2")));

  private List<String> matching(String... patterns) {
    var found = new ArrayList<String>();
    var set = all.matching(List.of(patterns));
    for (int i = 0; i < all.models(); i++) {
      if (set.contains(i)) {
        found.add(all.model(i).id());
      }
    }
    assertThat(set.size()).isEqualTo(found.size());
    return found;
  }

  @Test
  @DisplayName("finds models by patterns, in any case, with and without their variant")
  void patterns() {
    assertThat(matching("*")).hasSize(3);
    assertThat(matching("acme/*")).containsExactly("acme/large", "acme/large:free");
    assertThat(matching("ACME/Large")).containsExactly("acme/large", "acme/large:free");
    assertThat(matching("acme/large:free")).containsExactly("acme/large:free");
    assertThat(matching("*/t*y")).containsExactly("other/tiny");
    assertThat(matching("*:free")).containsExactly("acme/large:free");
    assertThat(matching("**/**tiny**", "acme/larg", "")).containsExactly("other/tiny");
    assertThat(matching()).isEmpty();
  }

  @Test
  @DisplayName("has the cheapest price of what may be used, and none of what may not")
  void prices() {
    assertThat(all.promptPicos(0)).isEqualTo(1_000_000);
    assertThat(all.price(0)).isEqualTo(4_000_000);
    FakeFeasible less = all.without("acme/large").throughput("other/tiny", 70).sticky("other/tiny");
    assertThat(less.promptPicos(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(less.price(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(less.throughput(2)).isEqualTo(70);
    assertThat(less.sticky(2)).isTrue();
    assertThat(less.only("acme/large").feasible(0)).isFalse();
    assertThat(all.feasible(0)).isTrue();
    assertThatThrownBy(() -> all.without("no/such")).hasMessageContaining("no/such");
  }
}
