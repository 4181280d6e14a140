package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.decode.Drawn;
import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Batch operations: the create body")
class BatchDecoderTest {
  private static final BatchDecoder DECODER = new BatchDecoder();
  private static final String CHAT = "'endpoint':'/v1/chat/completions','model':'a/b'";
  private static final String BODY = "{'messages':[{'role':'user','content':'hi'}]}";
  private static final String ONE = "{'custom_id':'one','body':" + BODY + "}";

  private static Json.Obj read(String json) {
    return (Json.Obj) Drawn.json(json);
  }

  private static Json.Obj batch(String requests) {
    return read("{" + CHAT + ",'requests':[" + requests + "]}");
  }

  private static BatchCreate good(Json.Obj body) {
    return DECODER.accept(body, new Problems());
  }

  private static List<String> problems(BatchDecoder decoder, Json.Obj body) {
    var problems = new Problems();
    assertThat(decoder.decode(body, problems) == null).isEqualTo(!problems.isEmpty());
    return problems.list().stream().map(Problem::toString).toList();
  }

  private static List<String> problems(Json.Obj body) {
    return problems(DECODER, body);
  }

  private static GatewayError refusal(Json.Obj body) {
    return catchThrowableOfType(GatewayException.class, () -> DECODER.accept(body, new Problems()))
        .error();
  }

  @Proves({
    "operation.batches.endpoint",
    "operation.batches.model",
    "operation.batches.requests",
    "answers.batch-create"
  })
  @TestFactory
  @DisplayName("breaks one rule at a time:")
  Stream<DynamicTest> mutations() {
    return BatchBodies.mutations().stream()
        .map(
            (Mutation broken) ->
                DynamicTest.dynamicTest(
                    broken.at() + " " + broken.allowed() + " " + broken.value(),
                    () ->
                        assertThat(problems(broken.of(batch(ONE))))
                            .singleElement()
                            .asString()
                            .startsWith(broken.at() + ": " + broken.allowed())));
  }

  @Nested
  @DisplayName("endpoint, model and provider")
  class Head {
    @Proves({"operation.batches.endpoint", "version.2"})
    @Test
    @DisplayName("names each endpoint a batch can be for")
    void endpoints() {
      for (BatchEndpoint endpoint : BatchEndpoint.values()) {
        Json.Obj body = batch(ONE).with("endpoint", Json.of(endpoint.path()));
        assertThat(DECODER.decode(body, new Problems()))
            .extracting(BatchCreate::endpoint)
            .isEqualTo(endpoint);
      }
    }

    @Proves("operation.batches.model")
    @Test
    @DisplayName("keeps the variant of a model, and no preferences when there are none")
    void model() {
      BatchCreate batch = good(batch(ONE).with("model", Json.of("a/b:free")));
      assertThat(batch.model().variants()).containsExactly("free");
      assertThat(batch.provider()).isEqualTo(ProviderPreferences.NONE);
    }

    @Proves("routing.preference.subsets")
    @Test
    @DisplayName("restricts the providers")
    void provider() {
      Json.Obj body =
          batch(ONE).with("provider", read("{'only':['x','y'],'allow_fallbacks':false}"));
      assertThat(good(body).provider())
          .isEqualTo(
              ProviderPreferences.builder().only(List.of("x", "y")).allowFallbacks(false).build());
    }
  }

  @Nested
  @DisplayName("endpoint and model come before requests, in the bytes")
  class Order {
    private static final String REQUESTS = "'requests':[" + ONE + "]";

    @Test
    @DisplayName("right when both do, whatever comes between and behind")
    void right() {
      assertThat(problems(read("{'model':'m','x':1,'endpoint':'/v1/messages'," + REQUESTS + "}")))
          .isEmpty();
      assertThat(problems(read("{" + CHAT + "," + REQUESTS + ",'completion_window':'24h'}")))
          .isEmpty();
    }

    @Proves({"resources.batch.body", "answers.batch-create"})
    @Test
    @DisplayName("wrong when one or both come later, which is said once, with what to do")
    void wrong() {
      String says = "/requests: must come after endpoint and model: write it last, was before ";
      assertThat(problems(read("{" + REQUESTS + "," + CHAT + "}")))
          .containsExactly(says + "endpoint and model");
      assertThat(problems(read("{'model':'m'," + REQUESTS + ",'endpoint':'/v1/messages'}")))
          .containsExactly(says + "endpoint");
      assertThat(problems(read("{'endpoint':'/v1/messages'," + REQUESTS + ",'model':'m'}")))
          .containsExactly(says + "model");
    }

    @Test
    @DisplayName("a member that is not there at all is only missing")
    void missing() {
      assertThat(problems(read("{'endpoint':'/v1/messages'," + REQUESTS + "}")))
          .containsExactly("/model: is required");
    }

    @Test
    @DisplayName("is a 400")
    void status() {
      assertThat(refusal(read("{" + REQUESTS + "," + CHAT + "}")).code())
          .isEqualTo(ErrorCode.INVALID_REQUEST);
    }
  }

  @Nested
  @DisplayName("requests")
  class Requests {
    private static Json.Obj numbered(int count) {
      return batch(
          IntStream.range(0, count)
              .mapToObj(i -> "{'custom_id':'" + i + "','body':" + BODY + "}")
              .collect(Collectors.joining(",")));
    }

    @Test
    @DisplayName("are 1 to as many as configured")
    void count() {
      var three = new BatchDecoder(3);
      assertThat(problems(three, numbered(0)))
          .containsExactly("/requests: must have 1 to 3 items, was an array of 0");
      assertThat(problems(three, numbered(1))).isEmpty();
      assertThat(problems(three, numbered(3))).isEmpty();
      assertThat(problems(three, numbered(4)))
          .containsExactly("/requests: must have 1 to 3 items, was an array of 4");
      assertThatThrownBy(() -> new BatchDecoder(0)).hasMessageContaining("was 0");
    }

    @Proves("open.78")
    @Test
    @DisplayName("are at most 50,000 when nothing is configured")
    void most() {
      assertThat(problems(numbered(50_000))).isEmpty();
      assertThat(problems(numbered(50_001)))
          .containsExactly("/requests: must have 1 to 50000 items, was an array of 50001");
    }

    @Proves("open.78")
    @Test
    @DisplayName("have a custom_id of 1 to 64 characters")
    void idLength() {
      assertThat(problems(batch(ONE.replace("one", "x")))).isEmpty();
      assertThat(problems(batch(ONE.replace("one", "x".repeat(64))))).isEmpty();
      assertThat(problems(batch(ONE.replace("one", "x".repeat(65))))).hasSize(1);
    }

    @Proves({"resources.batch.body", "answers.batch-create"})
    @Test
    @DisplayName("have each its own: every later one is named, with the first")
    void unique() {
      assertThat(problems(batch(ONE + "," + ONE + "," + ONE.replace("one", "two") + "," + ONE)))
          .containsExactly(
              "/requests/1/custom_id: must differ from /requests/0/custom_id, was \"one\"",
              "/requests/3/custom_id: must differ from /requests/0/custom_id, was \"one\"");
    }

    @Test
    @DisplayName("name the model of the batch or none")
    void model() {
      String named = "{'custom_id':'%s','body':{'model':%s,'messages':[{'role':'user'}]}}";
      assertThat(problems(batch(named.formatted("a", "'a/b'")))).isEmpty();
      assertThat(
              problems(
                  batch(
                      named.formatted("a", "'a/c'")
                          + ","
                          + named.formatted("b", "null")
                          + ","
                          + named.formatted("c", "1"))))
          .containsExactly(
              "/requests/0/body/model: must be absent or that of the batch, \"a/b\", was \"a/c\"",
              "/requests/1/body/model: must be absent or that of the batch, \"a/b\", was null",
              "/requests/2/body/model: must be absent or that of the batch, \"a/b\", was 1");
    }

    @Test
    @DisplayName("are compared with the model only when there is one")
    void noModel() {
      assertThat(problems(batch("{'custom_id':'a','body':{'model':'x'}}").without("model")))
          .containsExactly("/model: is required");
    }
  }

  @Nested
  @DisplayName("Errors")
  class Errors {
    @Proves("operation.batches.requests")
    @Test
    @DisplayName("a missing custom_id is said exactly as callers have seen it")
    void customId() {
      GatewayError error = refusal(batch("{'body':{}}"));
      assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
      assertThat(error.message()).isEqualTo("custom_id is required on requests[0].");
      assertThat(refusal(batch(ONE + ",{'body':{}}")).message())
          .isEqualTo("custom_id is required on requests[1].");
    }

    @Test
    @DisplayName("the first missing custom_id begins the message also when others come before it")
    void firstOfMany() {
      assertThat(refusal(batch(ONE + ",7,{'body':1},{'body':{}}")).message())
          .isEqualTo(
              "custom_id is required on requests[2]. /requests/1: must be an object, was 7;"
                  + " /requests/2/body: must be an object, was 1;"
                  + " /requests/2/custom_id: is required;"
                  + " /requests/3/custom_id: is required");
    }

    @Test
    @DisplayName("a custom_id that is there and wrong is not said to be missing")
    void wrongId() {
      assertThat(refusal(batch("{'custom_id':'','body':{}}")).message())
          .isEqualTo(
              "Invalid request parameters: /requests/0/custom_id: must be a string of 1 to 64"
                  + " characters, was \"\"");
    }

    @Proves({"resources.batch.error.422", "open.20"})
    @Test
    @DisplayName("a body of no use at the endpoint is a 422, when the structure is right")
    void unprocessable() {
      GatewayError error = refusal(batch("{'custom_id':'a','body':{}}"));
      assertThat(error.code()).isEqualTo(ErrorCode.UNPROCESSABLE);
      assertThat(error.code().status()).isEqualTo(422);
      assertThat(error.message())
          .isEqualTo("Invalid argument: /requests/0/body/messages: is required");
      assertThat(refusal(batch("{'custom_id':'','body':{}}")).code())
          .isEqualTo(ErrorCode.INVALID_REQUEST);
    }
  }
}
