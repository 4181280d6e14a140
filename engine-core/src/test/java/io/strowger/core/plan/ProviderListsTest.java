package io.strowger.core.plan;

import static io.strowger.core.plan.TestPlans.catalog;
import static io.strowger.core.plan.TestPlans.endpoint;
import static io.strowger.core.plan.TestPlans.endpointBuilder;
import static io.strowger.core.plan.TestPlans.excluded;
import static io.strowger.core.plan.TestPlans.plan;
import static io.strowger.core.plan.TestPlans.preferences;
import static io.strowger.core.plan.TestPlans.queryFor;
import static io.strowger.core.plan.TestPlans.refused;
import static io.strowger.core.plan.TestPlans.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Lists of providers")
class ProviderListsTest {
  private static final Catalog TABLE =
      catalog(
          endpoint("vertex", "m", "1"),
          endpoint("vertex/us-east5", "m", "2"),
          endpoint("deep", "m", "3"),
          endpoint("deep/turbo", "m", "4"),
          endpoint("openai", "m", "5"),
          endpointBuilder("openai/priority", "m").serviceTier("priority").build());
  private static final Catalog ABC =
      catalog(endpoint("a", "m", "1"), endpoint("b", "m", "2"), endpoint("c", "m", "3"));

  private static RoutingQuery.Builder only(String... names) {
    return queryFor("m").preferences(preferences().only(List.of(names)).build());
  }

  private static RoutingQuery.Builder ignore(String... names) {
    return queryFor("m").preferences(preferences().ignore(List.of(names)).build());
  }

  private static RoutingQuery.Builder account(
      RoutingQuery.Builder query, @Nullable List<String> allowed, List<String> ignored) {
    return query.account(
        AccountRules.builder().allowProviders(allowed).ignoreProviders(ignored).build());
  }

  @Proves({
    "routing.match.base",
    "routing.match.region",
    "routing.match.provider",
    "routing.match.variant",
    "routing.match.tier",
    "open.35"
  })
  @ParameterizedTest(name = "{0} matches {1}")
  @DisplayName(
      "match as in the contract: a slug matches all endpoints except service tiers, a tag one")
  @CsvSource({
    "vertex, vertex vertex/us-east5",
    "vertex/us-east5, vertex/us-east5",
    "deep, deep deep/turbo",
    "deep/turbo, deep/turbo",
    "openai, openai",
    "openai/priority, openai/priority",
    "Deep Cloud, deep deep/turbo",
    "DEEP, deep deep/turbo",
    "deep CLOUD, deep deep/turbo",
    "DEEP/Turbo, deep/turbo"
  })
  void table(String name, String matched) {
    assertThat(tried(TABLE, only(name))).containsExactlyInAnyOrder(matched.split(" "));
    var others =
        new ArrayList<>(List.of("vertex", "vertex/us-east5", "deep", "deep/turbo", "openai"));
    others.removeAll(List.of(matched.split(" ")));
    assertThat(tried(TABLE, ignore(name))).containsExactlyInAnyOrderElementsOf(others);
  }

  @Proves({"routing.preference.unknown-slug", "open.34"})
  @Test
  @DisplayName("match nothing for an unknown name, or for a mere part of a tag")
  void unknown() {
    assertThat(tried(TABLE, ignore("nobody", "turbo", "deep/", "/turbo"))).hasSize(5);
    assertThat(refused(TABLE, only("turbo")).error().code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
  }

  @Nested
  @DisplayName("with service tiers")
  class Tiers {
    @Proves({"routing.candidates.2", "routing.match.tier"})
    @Test
    @DisplayName("leave endpoints of a tier out unless one is named by its tag")
    void optIn() {
      var plan = plan(TABLE, queryFor("m"));
      assertThat(tried(plan)).doesNotContain("openai/priority").hasSize(5);
      assertThat(plan.trace())
          .contains(
              excluded(
                  "m@openai/priority",
                  "service_tier",
                  "belongs to the service tier priority, which was not asked for"));
      var listed =
          queryFor("m").preferences(preferences().order(List.of("openai/priority")).build());
      assertThat(tried(TABLE, listed)).hasSize(6).startsWith("openai/priority");
    }

    @Test
    @DisplayName(
        "match whole providers if they are the account's, so that a caller's tag cannot circumvent"
            + " them")
    void accountsNameWholeProviders() {
      assertThat(tried(TABLE, account(only("openai/priority"), List.of("openai"), List.of())))
          .containsExactly("openai/priority");
      var none = refused(TABLE, account(only("openai/priority"), null, List.of("openai")));
      assertThat(none.trace())
          .contains(excluded("m@openai/priority", "account.ignored_providers", "ignored"));
    }
  }

  @Nested
  @DisplayName("that allow")
  class Allow {
    @Proves({
      "provider.only",
      "routing.preference.only",
      "routing.lists.only",
      "routing.lists.ON-1",
      "open.7"
    })
    @Test
    @DisplayName("ON-1 are intersected: the caller's list narrows the account's")
    void on1() {
      var plan = plan(ABC, account(only("b"), List.of("a", "b"), List.of()));
      assertThat(tried(plan)).containsExactly("b");
      assertThat(plan.trace())
          .contains(
              excluded("m@a", "provider.only", "permits b"),
              excluded("m@c", "provider.only", "permits b"),
              excluded("m@c", "account.allowed_providers", "permits a, b"));
    }

    @Proves({
      "provider.only",
      "routing.preference.only",
      "routing.match.only.message",
      "routing.lists.only",
      "routing.lists.ON-2"
    })
    @Test
    @DisplayName("ON-2 lead to a refusal when they have nothing in common")
    void on2() {
      var none = refused(ABC, account(only("b"), List.of("a"), List.of()));
      assertThat(none.error().code()).isEqualTo(ErrorCode.NO_ENDPOINTS);
      assertThat(none.error().code().status()).isEqualTo(404);
      assertThat(none.error().message())
          .isEqualTo(
              "No endpoint can be used: m is served by a, b, c; account.allowed_providers: permits"
                  + " a; provider.only: permits b");
      Json.Obj availability = none.error().availability();
      assertThat(availability.text("code")).isEqualTo("no_endpoints");
      assertThat(availability.get("retryable")).isEqualTo(Json.FALSE);
      assertThat(availability.get("requested_models")).isEqualTo(Json.array(Json.of("m")));
      assertThat(availability.get("excluded_by"))
          .isEqualTo(Json.array(Json.of("allowed_providers")));
    }

    @Test
    @DisplayName("allow no provider when they are empty")
    void empty() {
      var none = refused(ABC, only());
      assertThat(none.error().message()).contains("provider.only: permits none");
      assertThat(refused(ABC, account(queryFor("m"), List.of(), List.of())).trace()).hasSize(3);
    }

    @Test
    @DisplayName("are shown in part in an error when they are long")
    void longList() {
      String[] names = new String[20];
      Arrays.setAll(names, i -> "p" + i);
      assertThat(refused(ABC, only(names)).error().message())
          .endsWith("permits p0, p1, p2, p3, p4, p5, p6, p7 and 12 more");
    }
  }

  @Proves({
    "provider.ignore",
    "routing.preference.ignore",
    "routing.lists.ignore",
    "routing.lists.IG-1"
  })
  @Test
  @DisplayName("IG-1 that ignore are united: the account's and the caller's")
  void ig1() {
    var plan = plan(ABC, account(ignore("b"), null, List.of("a")));
    assertThat(tried(plan)).containsExactly("c");
    assertThat(plan.trace())
        .contains(
            excluded("m@a", "account.ignored_providers", "ignored"),
            excluded("m@b", "provider.ignore", "ignored"));
  }

  @Test
  @DisplayName("work for more than 64 providers")
  void manyProviders() {
    var endpoints = new ArrayList<Endpoint>();
    for (int i = 0; i < 150; i++) {
      endpoints.add(endpoint("p" + i, "m", "1"));
    }
    assertThat(tried(catalog(endpoints), only("p0", "p63", "p64", "p127", "p128", "p149")))
        .containsExactlyInAnyOrder("p0", "p63", "p64", "p127", "p128", "p149");
  }

  @Test
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("take time in proportion to their length, even if one tag is repeated")
  void repeated() {
    var names = Collections.nCopies(1_000_000, "deep/turbo");
    assertThat(tried(TABLE, queryFor("m").preferences(preferences().only(names).build())))
        .containsExactly("deep/turbo");
  }
}
