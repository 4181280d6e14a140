package io.strowger.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.resource.Queries.BatchList;
import io.strowger.core.resource.Queries.PageRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;

@Label("A query string")
class QueriesProperties {
  private static final List<BiFunction<String, Problems, ?>> ALL =
      List.of(
          Queries::keys,
          Queries::workspacePage,
          Queries::batches,
          Queries::generation,
          Queries::models);

  @Property
  @Label("is decoded or refused, and never makes the decoder throw")
  void neverBreaks(@ForAll("queries") String raw) {
    for (BiFunction<String, Problems, ?> read : ALL) {
      var problems = new Problems(5);
      assertThat((Object) read.apply(raw, problems)).isNotNull();
      assertThat(problems.list())
          .hasSizeLessThanOrEqualTo(6)
          .allSatisfy(problem -> assertThat(problem.value()).hasSizeLessThan(300));
    }
  }

  @Property
  @Label("keeps its meaning when it is encoded and decoded")
  void roundTrip(@ForAll @NotEmpty String after, @ForAll @IntRange(min = 1, max = 100) int limit) {
    var problems = new Problems();
    String wellFormed = new String(after.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    String raw =
        "after=" + URLEncoder.encode(wellFormed, StandardCharsets.UTF_8) + "&limit=" + limit;
    BatchList read = Queries.batches(raw, problems);
    assertThat(problems.list()).isEmpty();
    assertThat(read).isEqualTo(new BatchList(limit, wellFormed, List.of(), null, null));
  }

  @Property
  @Label("is accepted only with a limit in its range")
  void limits(@ForAll @LongRange(min = -200, max = 200) long limit) {
    var problems = new Problems();
    PageRequest pageRequest = Queries.workspacePage("limit=" + limit, problems).page();
    boolean isInRange = limit >= 1 && limit <= 100;
    assertThat(problems.isEmpty()).isEqualTo(isInRange);
    assertThat(pageRequest.limit()).isEqualTo(isInRange ? limit : 50);
  }

  @Provide
  Arbitrary<String> queries() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "limit",
            "offset",
            "status",
            "id",
            "after",
            "created_after",
            "zdr",
            "=",
            "&",
            "%",
            "%4",
            "%41",
            "%ff",
            "+",
            "0",
            "1",
            "999",
            "-",
            ",",
            "true",
            "é",
            "\uD800",
            "\uD83D\uDE00");
    return pieces.list().ofMaxSize(30).map(list -> String.join("", list));
  }
}
