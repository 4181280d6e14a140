package io.strowger.host.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A decision")
class DecisionViewTest {
  @Nested
  @DisplayName("as a table")
  class AsTable {
    @Test
    @DisplayName(
        "shows ranks, prices, scores, the outcome of each candidate, and why endpoints were"
            + " dropped")
    void whole() {
      assertThat(DecisionTable.full(Decisions.attempted()))
          .containsExactly(
              "  rank  endpoint           in $/M  out $/M  decided by    what became of it",
              "  ────  ─────────────────  ──────  ───────  ──────────── "
                  + " ──────────────────────────────────────────",
              "     0  alpha/fp16 key k1    1.00     2.00  price 1.2500  skipped: cooling down",
              "     1  alpha/fp16           1.00     2.00  order 1       failed: 500 unavailable,"
                  + " 12.3 ms",
              "     -  beta                 3.00    15.00                dropped by"
                  + " provider.ignore: ignored;",
              "                                                          max_tokens: writes at most"
                  + " 10",
              "  acme/large: soft set 2 aside and kept 1",
              "  engine: output_capped_by_budget");
    }

    @ParameterizedTest
    @CsvSource({
      "COMPLETE, 'answered in 12.3 ms'",
      "ERROR, 'began to answer in 12.3 ms and broke off'",
      "CANCELLED, 'began to answer in 12.3 ms and was cancelled'"
    })
    @DisplayName("shows \"answered\" only for a complete answer")
    void outcome(CallRecord.Outcome outcome, String text) {
      var delivered = new TraceEntry.Attempted(Decisions.ALPHA.id(), null, 200, null, 12_345_678);
      var record =
          CallRecord.builder("gen-1", Instant.EPOCH, outcome)
              .attemptTrace(
                  List.of(
                      new TraceEntry.Ranked(Decisions.ALPHA.id(), null, 0, "provider.order", 0),
                      delivered))
              .build();
      assertThat(DecisionTable.full(DecisionView.of(Decisions.CATALOG, record)))
          .anySatisfy(line -> assertThat(line).endsWith("  " + text));
    }

    @Test
    @DisplayName("shows what routers chose and why, and what is known of the health of endpoints")
    void routed() {
      assertThat(DecisionTable.full(Decisions.routed()))
          .containsExactly(
              "  auto-router for router/auto: best for the task (task_type coding, cost_tradeoff"
                  + " 3)",
              "  rank  endpoint    in $/M  out $/M  decided by     what became of it",
              "  ────  ──────────  ──────  ───────  ───────────── "
                  + " ────────────────────────────────────────────────",
              "     0  alpha/fp16    1.00     2.00  52.1 tokens/s  probe, 412 ms, 52.1 tokens/s,"
                  + " degraded, breaker",
              " ".repeat(52) + "open until 1970-01-01T00:00:01Z");
    }

    @Test
    @DisplayName("fits a hundred columns however long names, reasons and refusals are")
    void narrow() {
      String word = "x".repeat(60);
      Endpoint endpoint =
          Endpoint.builder(
                  "author-" + word + "/model-" + word,
                  new ProviderInfo(word, word, true, true, null, false))
              .tag(word + "/" + word)
              .build();
      Endpoint other = endpoint.toBuilder().tag("other").build();
      var decision =
          new DecisionView(
              Decisions.INPUTS,
              DecisionView.DIRECT,
              List.of(new PlannedAttempt(endpoint, 0, "key-" + word, false)),
              GatewayError.of(ErrorCode.NO_ENDPOINTS, word + " " + word),
              List.of(
                  new TraceEntry.Routed(word, word, word, Json.object().put(word, word).build()),
                  new TraceEntry.Excluded(other.id(), "provider." + word, word + " " + word),
                  new TraceEntry.Narrowed(word, word, 1, 2),
                  new TraceEntry.Note(word, word),
                  new TraceEntry.Ranked(endpoint.id(), "key-" + word, 0, "latency", 1e9)));
      for (List<String> lines :
          List.of(DecisionTable.full(decision), DecisionTable.top(decision, 1))) {
        assertThat(lines)
            .hasSizeGreaterThan(5)
            .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Table.WIDTH));
      }
    }

    @Test
    @DisplayName("in short shows the first candidates and counts what each rule dropped")
    void top() {
      assertThat(DecisionTable.top(Decisions.attempted(), 0))
          .contains("  1 dropped by provider.ignore")
          .anySatisfy(line -> assertThat(line).contains("and 2 more"))
          .noneSatisfy(line -> assertThat(line).contains("beta"));
    }

    @Test
    @DisplayName("without a candidate ends with the error the request gets")
    void impossible() {
      assertThat(DecisionTable.top(Decisions.impossible(), 5))
          .containsExactly("  2 dropped by provider.only", "  error 404: no endpoint is left");
    }
  }

  @Nested
  @DisplayName("as JSON")
  class AsJson {
    @Test
    @DisplayName(
        "names model, provider, tag, rank and BYOK key of each attempt, and each exclusion")
    void attempts() {
      Json.Obj json = DecisionJson.of(Decisions.attempted());
      assertThat(PrettyJson.line(json))
          .startsWith(
              "{\"seed\":7,\"catalog_version\":\"v1\",\"statistics\":0,\"strategy\":\"direct\",\"attempts\":["
                  + "{\"model\":\"acme/large\",\"provider\":\"alpha\",\"tag\":\"alpha/fp16\",\"rank\":0,"
                  + "\"byok\":\"k1\",\"probe\":false,\"by\":\"price\",\"score\":")
          .contains(
              "\"rank\":1,\"byok\":null,\"probe\":false,\"by\":\"provider.order\",\"score\":0.0}],"
                  + "\"excluded\":[{\"model\":\"acme/large\",\"provider\":\"beta\",\"tag\":\"beta\","
                  + "\"rule\":\"provider.ignore\",\"reason\":\"ignored\"},")
          .endsWith("\"error\":null}");
    }

    @Test
    @DisplayName(
        "contains what routers chose, which attempts are probes, and the health of endpoints")
    void routed() {
      Json.Obj json = DecisionJson.of(Decisions.routed());
      assertThat(json.text("strategy")).isEqualTo("auto");
      assertThat(PrettyJson.line(json))
          .contains(
              "\"routed\":[{\"plugin\":\"auto-router\",\"model\":\"router/auto\","
                  + "\"reason\":\"best for the task\",\"data\":{\"task_type\":\"coding\",")
          .contains("\"probe\":true", "\"uptime\":\"degraded\"", "\"statistics\":3");
    }

    @Test
    @DisplayName("contains the error that the request would get when no endpoint is left")
    void error() {
      Json.Obj json = DecisionJson.of(Decisions.impossible());
      assertThat(json.list("attempts")).isEmpty();
      assertThat(json.list("excluded")).hasSize(2);
      assertThat(json.object("error"))
          .isEqualTo(
              Json.object()
                  .put("code", 404)
                  .put("message", "no endpoint is left")
                  .put("metadata", Json.object().put("error_type", "not_found").build())
                  .build());
    }
  }
}
