package io.strowger.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.resource.Queries.BatchList;
import io.strowger.core.resource.Queries.KeyList;
import io.strowger.core.resource.Queries.ModelList;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.Queries.WorkspacePage;
import io.strowger.spi.error.Problem;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Query parameters")
class QueriesTest {
  private static final String LIMIT =
      "the query parameter limit must be a whole number from 1 to 100, was ";

  private static <T> List<String> problems(
      BiFunction<@Nullable String, Problems, T> read, @Nullable String raw) {
    var problems = new Problems();
    assertThat(read.apply(raw, problems)).isNotNull();
    return problems.list().stream().map(Problem::toString).toList();
  }

  private static <T> T decode(
      BiFunction<@Nullable String, Problems, T> read, @Nullable String raw) {
    var problems = new Problems();
    T value = read.apply(raw, problems);
    problems.throwIfAny();
    return value;
  }

  @Nested
  @DisplayName("of every operation")
  class Every {
    @Test
    @DisplayName("are percent-decoded as UTF-8, and a plus means a space")
    void decoded() {
      assertThat(decode(Queries::generation, "id=gen%2D1+%c3%A9")).isEqualTo("gen-1 é");
      assertThat(decode(Queries::generation, "%69d=é")).isEqualTo("é");
      assertThat(decode(Queries::generation, "&&id=a=b&")).isEqualTo("a=b");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "x=%",
          "x=%4",
          "x=%zz",
          "x=%+1",
          "x=%ff",
          "x=%c0%80",
          "x=%ed%a0%80",
          "%e9=1",
          "x=\uD800",
        })
    @DisplayName("are refused when they are not percent-encoded UTF-8, whatever their name")
    void badlySpelled(String raw) {
      assertThat(problems(Queries::page, raw))
          .singleElement()
          .asString()
          .startsWith("the query must be percent-encoded UTF-8, was ");
    }

    @Test
    @DisplayName("are ignored if they are unknown, even repeated or without a value")
    void unknown() {
      assertThat(decode(Queries::page, "a=1&a=2&b&=c")).isEqualTo(new PageRequest(0, 50));
    }

    @Test
    @DisplayName("are refused if they occur twice and may not be repeated")
    void once() {
      assertThat(problems(Queries::page, "limit=1&limit=1"))
          .containsExactly("the query parameter limit must be given once, was 2");
    }

    @Test
    @DisplayName("have all their problems reported at once")
    void all() {
      assertThat(problems(Queries::workspacePage, "offset=x&limit=0&workspace_id="))
          .containsExactlyInAnyOrder(
              "the query parameter offset must be a whole number of at least 0, was \"x\"",
              LIMIT + "\"0\"",
              "the query parameter workspace_id must have 1 to 256 characters, was \"\"");
    }
  }

  @Nested
  @DisplayName("of GET /presets and their versions")
  class Presets {
    @Proves("resources.operation.paging")
    @Test
    @DisplayName("select the first 50 unless they say otherwise")
    void usual() {
      assertThat(decode(Queries::page, null)).isEqualTo(new PageRequest(0, 50));
      assertThat(decode(Queries::page, "")).isEqualTo(new PageRequest(0, 50));
      assertThat(decode(Queries::page, "offset=7&limit=3")).isEqualTo(new PageRequest(7, 3));
    }

    @Proves("resources.operation.paging")
    @Test
    @DisplayName("may contain an offset of at least 0")
    void offset() {
      assertThat(decode(Queries::page, "offset=0").offset()).isZero();
      assertThat(problems(Queries::page, "offset=-1"))
          .containsExactly(
              "the query parameter offset must be a whole number of at least 0, was \"-1\"");
    }

    @Proves("resources.operation.paging")
    @Test
    @DisplayName("may contain a limit from 1 to 100")
    void limit() {
      assertThat(decode(Queries::page, "limit=1").limit()).isEqualTo(1);
      assertThat(decode(Queries::page, "limit=100").limit()).isEqualTo(100);
      for (String wrong : List.of("0", "101", "", "1.0", "1e1", "-1", "99999999999999999999")) {
        assertThat(problems(Queries::page, "limit=" + wrong))
            .containsExactly(LIMIT + "\"" + wrong + "\"");
      }
    }
  }

  @Nested
  @DisplayName("of GET /keys")
  class Keys {
    @Test
    @DisplayName("select the first 100 without disabled keys unless they say otherwise")
    void usual() {
      assertThat(decode(Queries::keys, null))
          .isEqualTo(new KeyList(new PageRequest(0, 100), false, null));
      assertThat(decode(Queries::keys, "offset=100&include_disabled=true&workspace_id=w"))
          .isEqualTo(new KeyList(new PageRequest(100, 100), true, "w"));
      assertThat(decode(Queries::keys, "include_disabled=false").includeDisabled()).isFalse();
    }

    @Test
    @DisplayName("do not contain a limit, and flags are true or false")
    void wrong() {
      assertThat(decode(Queries::keys, "limit=1").page().limit()).isEqualTo(100);
      assertThat(problems(Queries::keys, "include_disabled=1"))
          .containsExactly("the query parameter include_disabled must be true or false, was \"1\"");
    }
  }

  @Nested
  @DisplayName("of GET /observability/destinations")
  class Destinations {
    @Test
    @DisplayName("select a page, optionally of one workspace")
    void page() {
      assertThat(decode(Queries::workspacePage, "limit=2&workspace_id=w"))
          .isEqualTo(new WorkspacePage(new PageRequest(0, 2), "w"));
      assertThat(problems(Queries::workspacePage, "limit=101")).containsExactly(LIMIT + "\"101\"");
    }
  }

  @Nested
  @DisplayName("of GET /batches")
  class Batches {
    @Test
    @DisplayName("select the first 20 of any status unless they say otherwise")
    void usual() {
      assertThat(decode(Queries::batches, null))
          .isEqualTo(new BatchList(20, null, List.of(), null, null));
    }

    @Proves({"resources.batch.list", "answers.batch-query"})
    @Test
    @DisplayName(
        "may contain several statuses, the batch after which the page begins, and bounds of time")
    void everything() {
      assertThat(
              decode(
                  Queries::batches,
                  "limit=100&after=batch_1&status=failed&status=completed"
                      + "&created_after=1700000000&created_before=2026-11-21T10:00:00Z"))
          .isEqualTo(
              new BatchList(
                  100,
                  "batch_1",
                  List.of("failed", "completed"),
                  Instant.ofEpochSecond(1_700_000_000),
                  Instant.parse("2026-11-21T10:00:00Z")));
    }

    @Proves({"resources.batch.list", "answers.batch-query"})
    @ParameterizedTest
    @ValueSource(
        strings = {"validating", "in_progress", "completed", "failed", "expired", "cancelled"})
    @DisplayName("accept six statuses")
    void statuses(String status) {
      assertThat(decode(Queries::batches, "status=" + status).statuses()).containsExactly(status);
    }

    @Proves({"resources.batch.list", "resources.batch.status", "answers.batch-query"})
    @ParameterizedTest
    @ValueSource(strings = {"finalizing", "cancelling", "FAILED", ""})
    @DisplayName("accept no other status, not even a transient one of batches")
    void otherStatuses(String status) {
      assertThat(problems(Queries::batches, "status=failed&status=" + status))
          .containsExactly(
              "the query parameter status must be one of validating, in_progress, completed,"
                  + " failed, expired, cancelled, was \""
                  + status
                  + "\"");
    }

    @Proves("answers.batch-query")
    @ParameterizedTest
    @CsvSource({
      "limit=0,limit",
      "limit=101,limit",
      "after=,after",
      "created_after=yesterday,created_after",
      "created_before=2026-11-21,created_before",
      "created_before=-1,created_before",
      "created_after=999999999999999999,created_after",
    })
    @DisplayName("are refused with the contract's message, followed by the problem")
    void refused(String raw, String parameter) {
      var problems = new Problems();
      assertThat(Queries.batches(raw, problems)).isNotNull();
      assertThat(Queries.invalidBatchQuery(problems).message())
          .startsWith("Invalid batch list query. the query parameter " + parameter + " must ");
    }
  }

  @Nested
  @DisplayName("of GET /generation")
  class Generation {
    @Test
    @DisplayName("must contain an id")
    void id() {
      assertThat(decode(Queries::generation, "id=g")).isEqualTo("g");
      assertThat(problems(Queries::generation, null))
          .containsExactly("the query parameter id is required");
      assertThat(problems(Queries::generation, "id="))
          .containsExactly("the query parameter id must have 1 to 256 characters, was \"\"");
    }
  }

  @Nested
  @DisplayName("of GET /models")
  class Models {
    @Test
    @DisplayName("select all models with text output unless they say otherwise")
    void usual() {
      assertThat(decode(Queries::models, null))
          .isEqualTo(
              new ModelList(
                  null, List.of("text"), new ModelList.PriceRange(null, null), 0, Map.of()));
    }

    @Test
    @DisplayName("select a page of 500 if there is an offset or a limit")
    void page() {
      assertThat(decode(Queries::models, "offset=0").page()).isEqualTo(new PageRequest(0, 500));
      assertThat(decode(Queries::models, "limit=1").page()).isEqualTo(new PageRequest(0, 1));
      assertThat(decode(Queries::models, "limit=1000").page()).isEqualTo(new PageRequest(0, 1000));
      assertThat(problems(Queries::models, "limit=1001"))
          .containsExactly(
              "the query parameter limit must be a whole number from 1 to 1000, was \"1001\"");
      assertThat(problems(Queries::models, "limit=0")).hasSize(1);
    }

    @Test
    @DisplayName("may contain filters")
    void filters() {
      assertThat(
              decode(
                  Queries::models,
                  "output_modalities=text,image&min_price=0&max_price=1.50&context=1000&zdr=true"
                      + "&region=eu&distillable=false&providers=a,b&sort=newest"))
          .isEqualTo(
              new ModelList(
                  null,
                  List.of("text", "image"),
                  new ModelList.PriceRange(BigDecimal.ZERO, new BigDecimal("1.50")),
                  1000,
                  Map.of(
                      "zdr",
                      "true",
                      "region",
                      "eu",
                      "distillable",
                      "false",
                      "providers",
                      "a,b",
                      "sort",
                      "newest")));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "output_modalities=text,", "min_price=-1", "max_price=x", "max_price=1e3", "context=-1",
          "zdr=yes", "distillable=", "region=", "providers=", "sort=",
        })
    @DisplayName("are refused if a filter is malformed")
    void wrong(String raw) {
      String name = raw.substring(0, raw.indexOf('='));
      assertThat(problems(Queries::models, raw))
          .singleElement()
          .asString()
          .startsWith("the query parameter " + name + " must ");
    }
  }
}
