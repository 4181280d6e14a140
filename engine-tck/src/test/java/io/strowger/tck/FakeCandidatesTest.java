package io.strowger.tck;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.plugin.UsableEndpoint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Fake candidates")
class FakeCandidatesTest {
  private final FakeCandidates all =
      FakeCandidates.of(
          catalog(
              endpoint("p", "acme/large", "3"),
              endpoint("q", "acme/large", "1"),
              endpoint("p", "acme/large:free", "0"),
              endpoint("p", "other/tiny", "2")));

  private List<String> matching(String... patterns) {
    var found = new ArrayList<String>();
    var set = all.matching(List.of(patterns));
    for (int i = 0; i < all.size(); i++) {
      if (set.contains(i)) {
        found.add(all.model(i).id());
      }
    }
    assertThat(set.size()).isEqualTo(found.size());
    return found;
  }

  @Test
  @DisplayName("find models by patterns, in any case, with and without their variant")
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
  @DisplayName("have the cheapest price of each usable model, and none of other models")
  void prices() {
    assertThat(all.promptPicos(0)).isEqualTo(1_000_000);
    assertThat(all.blendedPrice(0)).isEqualTo(4_000_000);
    FakeCandidates fewer =
        all.without("acme/large").throughput("other/tiny", 70).sticky("other/tiny");
    assertThat(fewer.promptPicos(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(fewer.blendedPrice(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(fewer.throughput(2)).isEqualTo(70);
    assertThat(fewer.isSticky(2)).isTrue();
    assertThat(fewer.only("acme/large").isUsable(0)).isFalse();
    assertThat(all.isUsable(0)).isTrue();
    assertThatThrownBy(() -> all.without("no/such")).hasMessageContaining("no/such");
  }

  @Test
  @DisplayName("show the usable endpoints, cheapest first, with their prices and health")
  void endpoints() {
    var slow = new UsableEndpoint.Health(900, 5, 97.5, UsableEndpoint.Status.DEGRADED);
    FakeCandidates fewer =
        all.withoutEndpoints("acme/large@q").health("acme/large@p", slow).sticky("acme/large");
    assertThat(fewer.endpoints(0))
        .containsExactly(
            new UsableEndpoint(
                all.catalog().endpoints().get(1),
                UnitPrice.ofDollarsPerMillion(new BigDecimal(3)),
                UnitPrice.ofDollarsPerMillion(new BigDecimal(3)),
                slow));
    assertThat(fewer.promptPicos(0)).isEqualTo(3_000_000);
    assertThat(fewer.withoutEndpoints("acme/large@p").endpoints(0)).isEmpty();
    assertThat(fewer.withoutEndpoints("acme/large@p").isUsable(0)).isFalse();
    assertThat(all.endpoints(0))
        .extracting(one -> one.endpoint().id())
        .containsExactly("acme/large@q", "acme/large@p");
    assertThatThrownBy(() -> all.withoutEndpoints("acme/large@z"))
        .hasMessageContaining("acme/large@z");
  }

  @Test
  @DisplayName("select the first models of a ranking that are usable and accepted")
  void first() {
    int[] ranked = {2, 0, 1};
    assertThat(all.first(ranked, any -> true, "liked"))
        .isEqualTo(new Selection.Models(List.of("other/tiny"), "liked"));
    assertThat(all.without("other/tiny").first(2, ranked, any -> true, "liked"))
        .isEqualTo(new Selection.Models(List.of("acme/large", "acme/large:free"), "liked"));
    UnitPrice max = UnitPrice.ofDollarsPerMillion(BigDecimal.ONE);
    assertThat(all.first(3, ranked, one -> one.promptPrice().isAtMost(max), "cheap"))
        .isEqualTo(new Selection.Models(List.of("acme/large", "acme/large:free"), "cheap"));
    assertThat(all.first(ranked, one -> one.isSticky(), "known"))
        .isEqualTo(Selection.refusal("No model the request may use is known"));
  }
}
