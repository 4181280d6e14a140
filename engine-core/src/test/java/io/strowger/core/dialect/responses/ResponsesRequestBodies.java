package io.strowger.core.dialect.responses;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Makes and decodes bodies of responses requests for tests. */
final class ResponsesRequestBodies {
  private static final ResponsesDecoder DECODER =
      new ResponsesDecoder(
          (entry, at, problems) -> {
            if (entry.id().equals("nobody")) {
              problems.add(at.child("id"), "must be known", "");
            }
          });

  private ResponsesRequestBodies() {}

  /** Returns a valid body with more members. */
  static Json.Obj body(String more) {
    return (Json.Obj) TestJson.of("{'input':'hi'" + (more.isEmpty() ? "" : "," + more) + "}");
  }

  /** Returns a body whose input has these items. */
  static Json.Obj of(String... items) {
    return (Json.Obj) TestJson.of("{'input':[" + String.join(",", items) + "]}");
  }

  static List<String> problems(Json.Obj body) {
    var problems = new Problems();
    DECODER.decode(body, problems);
    return problems.list().stream().map(Problem::toString).toList();
  }

  static List<String> problems(String more) {
    return problems(body(more));
  }

  static InferenceRequest decode(Json.Obj body) {
    var problems = new Problems();
    InferenceRequest request = DECODER.decode(body, problems);
    problems.throwIfAny();
    return request;
  }

  /** Returns the message that is read from the only item of a valid body. */
  static Message item(String item) {
    return decode(of(item)).messages().get(0);
  }

  /**
   * Returns a test for each mutation: a valid body that it changes has that problem and no other.
   */
  static Stream<DynamicTest> each(List<Mutation> mutations) {
    return mutations.stream()
        .map(
            mutation ->
                DynamicTest.dynamicTest(
                    mutation.at() + " " + mutation.allowed(),
                    () ->
                        assertThat(problems(mutation.of(body("'store':false"))))
                            .singleElement()
                            .asString()
                            .startsWith(mutation.at() + ": " + mutation.allowed())));
  }
}
