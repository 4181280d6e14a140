package io.strowger.host.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A decision")
class DecisionTest {
  @Nested
  @DisplayName("as a table")
  class AsTable {
    @Test
    @DisplayName("shows ranks, prices, scores, what became of candidates, and who was dropped why")
    void whole() {
      assertThat(DecisionTable.whole(Decisions.attempted()))
          .containsExactly(
              "  rank  endpoint    in $/M  out $/M   score  what became of it",
              "  ────  ──────────  ──────  ───────  ──────  ───────────────────────────────────",
              "     0  alpha/fp16    1.00     2.00  1.2500  failed: 500 unavailable, 12.3 ms",
              "     -  beta          3.00    15.00          dropped by provider.ignore: ignored",
              "  acme/large: soft set 2 aside and kept 1",
              "  engine: output_capped_by_budget");
    }

    @Test
    @DisplayName("in short shows the first candidates and counts what each rule dropped")
    void top() {
      assertThat(DecisionTable.top(Decisions.attempted(), 0))
          .contains("  1 dropped by provider.ignore")
          .anySatisfy(line -> assertThat(line).contains("and 1 more"))
          .noneSatisfy(line -> assertThat(line).contains("beta"));
    }

    @Test
    @DisplayName("without a candidate ends with the error the request gets")
    void impossible() {
      assertThat(DecisionTable.top(Decisions.impossible(), 5))
          .containsExactly("  2 dropped by provider.only", "  error 404: nobody is left");
    }
  }

  @Nested
  @DisplayName("as JSON")
  class AsJson {
    @Test
    @DisplayName("names model, provider, tag, rank and own key of each attempt, and each exclusion")
    void attempts() {
      Json.Obj json = DecisionJson.of(Decisions.attempted());
      assertThat(JsonText.line(json))
          .startsWith(
              "{\"seed\":7,\"catalog_version\":\"v1\",\"strategy\":\"direct\","
                  + "\"attempts\":[{\"model\":\"acme/large\",\"provider\":\"alpha\",\"tag\":\"alpha/fp16\",\"rank\":0,\"byok\":\"k1\"}],"
                  + "\"excluded\":[{\"model\":\"acme/large\",\"provider\":\"beta\",\"tag\":\"beta\",\"rule\":\"provider.ignore\",\"reason\":\"ignored\"}]")
          .endsWith("\"error\":null}");
    }

    @Test
    @DisplayName("has the error the request would get when nothing is left")
    void error() {
      Json.Obj json = DecisionJson.of(Decisions.impossible());
      assertThat(json.list("attempts")).isEmpty();
      assertThat(json.list("excluded")).hasSize(2);
      assertThat(json.object("error"))
          .isEqualTo(
              Json.object()
                  .put("code", 404)
                  .put("message", "nobody is left")
                  .put("metadata", Json.object().put("error_type", "not_found").build())
                  .build());
    }
  }
}
