package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Query;
import io.strowger.spi.error.Problem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/** Fuzzes the readers with any text as the query of each operation and as each path parameter. */
@DisplayName("The readers of queries and paths, given any text,")
class QueryFuzz {
  private static final int MAX_SHOWN = 300;

  private static final List<BiFunction<String, Problems, @Nullable Object>> READERS =
      List.of(
          Queries::keys,
          Queries::page,
          Queries::workspacePage,
          Queries::batches,
          Queries::generation,
          Queries::models,
          PathParameters::presetSlug,
          PathParameters::presetVersion,
          (text, problems) -> PathParameters.keyHash(text),
          (text, problems) -> PathParameters.uuid(text));

  @FuzzTest
  @DisplayName("read it or report what is wrong with it")
  void reads(byte[] input) {
    var text = new String(input, StandardCharsets.UTF_8);
    for (int i = 0; i < READERS.size(); i++) {
      var problems = new Problems();
      var again = new Problems();
      Object value = READERS.get(i).apply(text, problems);
      assertThat(READERS.get(i).apply(text, again))
          .as("the result of a second reading")
          .isEqualTo(value);
      assertThat(again.list()).isEqualTo(problems.list());
      problems.list().forEach(QueryFuzz::assertSound);
    }
    assertEncodedTextIsRead(text);
  }

  private static void assertSound(Problem problem) {
    assertThat(problem.allowed()).isNotBlank();
    assertThat(problem.pointer().toString())
        .as("the pointer, which a query does not have")
        .isEmpty();
    assertThat(problem.value()).hasSizeLessThan(MAX_SHOWN);
  }

  private static void assertEncodedTextIsRead(String text) {
    String raw = "a=1&b=" + URLEncoder.encode(text, StandardCharsets.UTF_8) + "&b=" + "&a=2";
    var problems = new Problems();
    Query query = Query.parse(raw, problems);
    assertThat(problems.list()).isEmpty();
    assertThat(query.values("b")).containsExactly(text, "");
    assertThat(query.values("a")).containsExactly("1", "2");
  }
}
