package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
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

@DisplayName("A body that creates a batch")
class BatchDecoderTest {
  private static final String CHAT = "'endpoint':'/v1/chat/completions','model':'a/b'";
  private static final String BODY = "{'messages':[{'role':'user','content':'hi'}]}";
  private static final String ITEM = "{'custom_id':'one','body':" + BODY + "}";

  private static Json.Obj read(String json) {
    return (Json.Obj) TestJson.of(json);
  }

  private static Json.Obj batch(String requests) {
    return read("{" + CHAT + ",'requests':[" + requests + "]}");
  }

  private static BatchCreate accept(Json.Obj body) {
    return WholeBatch.accept(body).head();
  }

  private static List<String> problems(int maxRequests, Json.Obj body) {
    var problems = new Problems();
    assertThat(WholeBatch.decode(maxRequests, body, problems) == null)
        .isEqualTo(!problems.isEmpty());
    return problems.list().stream().map(Problem::toString).toList();
  }

  private static List<String> problems(Json.Obj body) {
    return problems(BatchDecoder.MAX_REQUESTS, body);
  }

  private static GatewayError refusal(Json.Obj body) {
    return catchThrowableOfType(GatewayException.class, () -> WholeBatch.accept(body)).error();
  }

  @Proves({
    "operation.batches.endpoint",
    "operation.batches.model",
    "operation.batches.requests",
    "answers.batch-create"
  })
  @TestFactory
  @DisplayName("is refused with one problem if it breaks one rule:")
  Stream<DynamicTest> mutations() {
    return BatchBodies.mutations().stream()
        .map(
            (Mutation mutation) ->
                DynamicTest.dynamicTest(
                    mutation.at() + " " + mutation.allowed() + " " + mutation.value(),
                    () ->
                        assertThat(problems(mutation.of(batch(ITEM))))
                            .singleElement()
                            .asString()
                            .startsWith(mutation.at() + ": " + mutation.allowed())));
  }

  @Nested
  @DisplayName("with endpoint, model and provider")
  class Head {
    @Proves({"operation.batches.endpoint", "version.2"})
    @Test
    @DisplayName("can name each endpoint of batches")
    void endpoints() {
      for (BatchEndpoint endpoint : BatchEndpoint.values()) {
        Json.Obj body = batch(ITEM).with("endpoint", Json.of(endpoint.path()));
        assertThat(WholeBatch.decode(BatchDecoder.MAX_REQUESTS, body, new Problems()))
            .extracting(batch -> batch.head().endpoint())
            .isEqualTo(endpoint);
      }
    }

    @Proves("operation.batches.model")
    @Test
    @DisplayName("keeps the variant of a model, and has no preferences without a provider")
    void model() {
      BatchCreate batch = accept(batch(ITEM).with("model", Json.of("a/b:free")));
      assertThat(batch.model().variants()).containsExactly("free");
      assertThat(batch.provider()).isEqualTo(ProviderPreferences.NONE);
    }

    @Proves("routing.preference.subsets")
    @Test
    @DisplayName("can restrict the providers")
    void provider() {
      Json.Obj body =
          batch(ITEM).with("provider", read("{'only':['x','y'],'allow_fallbacks':false}"));
      assertThat(accept(body).provider())
          .isEqualTo(
              ProviderPreferences.builder().only(List.of("x", "y")).allowFallbacks(false).build());
    }
  }

  @Nested
  @DisplayName("whose endpoint and model must precede the requests")
  class Order {
    private static final String REQUESTS = "'requests':[" + ITEM + "]";

    @Test
    @DisplayName("is accepted if both do, with any members in between and after")
    void right() {
      assertThat(problems(read("{'model':'m','x':1,'endpoint':'/v1/messages'," + REQUESTS + "}")))
          .isEmpty();
      assertThat(problems(read("{" + CHAT + "," + REQUESTS + ",'completion_window':'24h'}")))
          .isEmpty();
    }

    @Proves({"resources.batch.body", "answers.batch-create"})
    @Test
    @DisplayName("is refused if one or both follow, with one problem that says what to do")
    void wrong() {
      String problem = "/requests: must come after endpoint and model: write it last, was before ";
      assertThat(problems(read("{" + REQUESTS + "," + CHAT + "}")))
          .containsExactly(problem + "endpoint and model");
      assertThat(problems(read("{'model':'m'," + REQUESTS + ",'endpoint':'/v1/messages'}")))
          .containsExactly(problem + "endpoint");
      assertThat(problems(read("{'endpoint':'/v1/messages'," + REQUESTS + ",'model':'m'}")))
          .containsExactly(problem + "model");
    }

    @Test
    @DisplayName("is refused only as incomplete if one of them is missing")
    void missing() {
      assertThat(problems(read("{'endpoint':'/v1/messages'," + REQUESTS + "}")))
          .containsExactly("/model: is required");
    }

    @Test
    @DisplayName("is refused with status 400")
    void status() {
      assertThat(refusal(read("{" + REQUESTS + "," + CHAT + "}")).code())
          .isEqualTo(ErrorCode.INVALID_REQUEST);
    }
  }

  @Nested
  @DisplayName("with requests")
  class Requests {
    private static Json.Obj numbered(int count) {
      return batch(
          IntStream.range(0, count)
              .mapToObj(i -> "{'custom_id':'" + i + "','body':" + BODY + "}")
              .collect(Collectors.joining(",")));
    }

    @Test
    @DisplayName("has one to the configured number of them")
    void count() {
      assertThat(problems(3, numbered(0)))
          .containsExactly("/requests: must have 1 to 3 items, was an array of 0");
      assertThat(problems(3, numbered(1))).isEmpty();
      assertThat(problems(3, numbered(3))).isEmpty();
      assertThat(problems(3, numbered(4)))
          .containsExactly("/requests: must have 1 to 3 items, was an array of 4");
      assertThatThrownBy(() -> new BatchDecoder(0, new Problems())).hasMessageContaining("was 0");
    }

    @Proves("open.78")
    @Test
    @DisplayName("has at most 50,000 of them by default")
    void most() {
      assertThat(problems(numbered(50_000))).isEmpty();
      assertThat(problems(numbered(50_001)))
          .containsExactly("/requests: must have 1 to 50000 items, was an array of 50001");
    }

    @Proves("open.78")
    @Test
    @DisplayName("has a custom_id of 1 to 64 characters in each")
    void idLength() {
      assertThat(problems(batch(ITEM.replace("one", "x")))).isEmpty();
      assertThat(problems(batch(ITEM.replace("one", "x".repeat(64))))).isEmpty();
      assertThat(problems(batch(ITEM.replace("one", "x".repeat(65))))).hasSize(1);
    }

    @Proves({"resources.batch.body", "answers.batch-create"})
    @Test
    @DisplayName(
        "is refused if a custom_id repeats; the problems name each repetition and the first")
    void unique() {
      assertThat(problems(batch(ITEM + "," + ITEM + "," + ITEM.replace("one", "two") + "," + ITEM)))
          .containsExactly(
              "/requests/1/custom_id: must differ from /requests/0/custom_id, was \"one\"",
              "/requests/3/custom_id: must differ from /requests/0/custom_id, was \"one\"");
    }

    @Test
    @DisplayName("has the model of the batch or none in each")
    void model() {
      String request = "{'custom_id':'%s','body':{'model':%s,'messages':[{'role':'user'}]}}";
      assertThat(problems(batch(request.formatted("a", "'a/b'")))).isEmpty();
      assertThat(
              problems(
                  batch(
                      request.formatted("a", "'a/c'")
                          + ","
                          + request.formatted("b", "null")
                          + ","
                          + request.formatted("c", "1"))))
          .containsExactly(
              "/requests/0/body/model: must be absent or that of the batch, \"a/b\", was \"a/c\"",
              "/requests/1/body/model: must be absent or that of the batch, \"a/b\", was null",
              "/requests/2/body/model: must be absent or that of the batch, \"a/b\", was 1");
    }

    @Test
    @DisplayName("is not compared with their models if it has no model itself")
    void noModel() {
      assertThat(problems(batch("{'custom_id':'a','body':{'model':'x'}}").without("model")))
          .containsExactly("/model: is required");
    }
  }

  @Nested
  @DisplayName("with errors")
  class Errors {
    @Proves("operation.batches.requests")
    @Test
    @DisplayName("has the contract's exact message for a missing custom_id")
    void customId() {
      GatewayError error = refusal(batch("{'body':{}}"));
      assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
      assertThat(error.message()).isEqualTo("custom_id is required on requests[0].");
      assertThat(refusal(batch(ITEM + ",{'body':{}}")).message())
          .isEqualTo("custom_id is required on requests[1].");
    }

    @Test
    @DisplayName(
        "has a message that starts with the first missing custom_id, even after other errors")
    void firstOfMany() {
      assertThat(refusal(batch(ITEM + ",7,{'body':1},{'body':{}}")).message())
          .isEqualTo(
              "custom_id is required on requests[2]. /requests/1: must be an object, was 7;"
                  + " /requests/2/body: must be an object, was 1;"
                  + " /requests/2/custom_id: is required;"
                  + " /requests/3/custom_id: is required");
    }

    @Test
    @DisplayName("has the general message for a wrong custom_id")
    void wrongId() {
      assertThat(refusal(batch("{'custom_id':'','body':{}}")).message())
          .isEqualTo(
              "Invalid request parameters: /requests/0/custom_id: must be a string of 1 to 64"
                  + " characters, was \"\"");
    }

    @Proves({"resources.batch.error.422", "open.20"})
    @Test
    @DisplayName("is refused with 422 if only a request's body does not fit the endpoint")
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
