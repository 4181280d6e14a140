package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A failure of an upstream")
class UpstreamErrorClassifierTest {
  private static final String SECRET = MinimalCodec.SECRET;

  private static Failure failure(CannedTransport transport, boolean streaming, Cancellation until) {
    return catchThrowableOfType(
            UpstreamException.class, () -> MinimalCodec.read(transport, streaming, until))
        .failure();
  }

  private static Failure failure(CannedTransport transport) {
    Failure failure = failure(transport, false, new Cancellation());
    Failure stream = failure(transport, true, new Cancellation());
    assertThat(stream).as("the failure of a streaming call").isEqualTo(failure);
    return failure;
  }

  private static CannedTransport answer(int status, String body) {
    return new CannedTransport(status, body.replace('\'', '"'))
        .header("Content-Type", "application/json");
  }

  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          400 | {'error':{'message':'bad top_p'}}                                   | INVALID_REQUEST
          400 | {'error':{'code':'context_length_exceeded','message':'x'}}          | CONTEXT_LENGTH
          400 | {'error':{'message':'The maximum context length is 8192'     }} | CONTEXT_LENGTH
          413 | {'error':{'message':'prompt is too long: 9 tokens'}}                | CONTEXT_LENGTH
          413 | {'error':{'message':'body too large'}}                              | INVALID_REQUEST
          500 | {'error':{'code':'context_length_exceeded','message':'x'}}          | CONTEXT_LENGTH
          500 | {'error':{'message':'maximum context length'}}                      | UNAVAILABLE
          400 | {'error':{'code':'content_filter','message':'x'}}                   | CONTENT_POLICY
          400 | {'error':{'code':'x','innererror':{'code':'ResponsibleAIPolicyViolation'}}} | CONTENT_POLICY
          403 | {'error':{'message':'Your input was flagged by moderation'}}        | CONTENT_POLICY
          400 | {'type':'error','error':{'type':'invalid_request_error','message':'Output blocked by content filtering policy'}} | CONTENT_POLICY
          400 | {'error':{'type':'content_policy_violation'}}                       | CONTENT_POLICY
          401 | {'error':{'code':'invalid_api_key','message':'x'}}                  | CREDENTIAL
          401 | nonsense                                                            | CREDENTIAL
          403 | {'error':{'type':'permission_error','message':'no'}}                | CREDENTIAL
          400 | {'error':{'code':'invalid_api_key','message':'API key not valid'}}  | CREDENTIAL
          402 | {'error':{'message':'pay'}}                                         | QUOTA
          429 | {'error':{'code':'insufficient_quota','message':'x'}}               | QUOTA
          400 | {'error':{'message':'Your credit balance is too low'}}              | QUOTA
          429 | {'error':{'type':'requests','code':'rate_limit_exceeded'}}          | RATE_LIMITED
          429 | {'error':{'message':'slow down'}}                                   | RATE_LIMITED
          404 | {'error':{'code':'model_not_found','message':'x'}}                  | NOT_FOUND
          400 | {'error':{'code':'model_not_found','message':'x'}}                  | NOT_FOUND
          404 | <html>                                                              | NOT_FOUND
          410 |                                                                     | NOT_FOUND
          405 |                                                                     | INVALID_REQUEST
          422 | {'detail':[{'loc':['body']}]}                                       | INVALID_REQUEST
          408 |                                                                     | TIMEOUT
          504 | <html>Gateway Time-out                                              | TIMEOUT
          524 |                                                                     | TIMEOUT
          503 | {'error':{'message':'busy'}}                                        | OVERLOADED
          529 | {'type':'error','error':{'type':'overloaded_error'}}                | OVERLOADED
          500 | {'error':{'type':'overloaded_error','message':'x'}}                 | OVERLOADED
          500 | {'error':{'message':'oops'}}                                        | UNAVAILABLE
          502 | <html>Bad gateway                                                   | UNAVAILABLE
          302 |                                                                     | PROTOCOL
          400 | {'type':'error','error':{'type':'invalid_request_error','message':'x'}} | INVALID_REQUEST
          400 | {'type':'error','error':{'type':'invalid_request_error','message':'Your credit balance is too low'}} | QUOTA
          400 | {'type':'error','error':{'type':'invalid_request_error','message':'input length and max_tokens exceed context limit: 9'}} | CONTEXT_LENGTH
          401 | {'type':'error','error':{'type':'authentication_error','message':'invalid x-api-key'}} | CREDENTIAL
          402 | {'type':'error','error':{'type':'billing_error','message':'x'}}     | QUOTA
          400 | {'type':'error','error':{'type':'billing_error','message':'x'}}     | QUOTA
          404 | {'type':'error','error':{'type':'not_found_error','message':'model: x'}} | NOT_FOUND
          413 | {'type':'error','error':{'type':'request_too_large','message':'x'}} | INVALID_REQUEST
          429 | {'type':'error','error':{'type':'rate_limit_error','message':'x'}}  | RATE_LIMITED
          500 | {'type':'error','error':{'type':'api_error','message':'x'}}         | UNAVAILABLE
          504 | {'type':'error','error':{'type':'timeout_error','message':'x'}}     | TIMEOUT
          500 | {'type':'error','error':{'type':'timeout_error','message':'x'}}     | TIMEOUT
          400 | {'error':{'message':'x','type':'invalid_request_error','code':'context_length_exceeded','param':'input'}} | CONTEXT_LENGTH
          400 | {'error':{'message':'x','type':'invalid_request_error','code':'invalid_prompt','param':null}} | INVALID_REQUEST
          400 | {'error':{'message':'flagged as potentially violating our usage policy','code':'invalid_prompt'}} | CONTENT_POLICY
          429 | {'error':{'message':'x','type':'insufficient_quota','code':'insufficient_quota','param':null}} | QUOTA
          429 | {'error':{'message':'x','type':'tokens','code':'rate_limit_exceeded','param':null}} | RATE_LIMITED
          404 | {'error':{'message':'x','code':'previous_response_not_found'}}      | NOT_FOUND
          400 | {'error':{'message':'x','code':'previous_response_not_found'}}      | INVALID_REQUEST
          429 | {'error':{'code':429,'message':'check your plan and billing details','status':'RESOURCE_EXHAUSTED'}} | RATE_LIMITED
          429 | [{'error':{'code':429,'message':'x','status':'RESOURCE_EXHAUSTED'}}] | RATE_LIMITED
          400 | {'error':{'code':400,'message':'x','status':'INVALID_ARGUMENT'}}    | INVALID_REQUEST
          400 | {'error':{'code':400,'message':'The input token count (9) exceeds the maximum number of tokens allowed (8).','status':'INVALID_ARGUMENT'}} | CONTEXT_LENGTH
          400 | [{'error':{'code':400,'message':'x','status':'INVALID_ARGUMENT','details':[{'reason':'API_KEY_INVALID'}]}}] | CREDENTIAL
          400 | {'error':{'code':400,'message':'User location is not supported','status':'FAILED_PRECONDITION'}} | CREDENTIAL
          400 | {'error':{'code':400,'message':'Please enable billing','status':'FAILED_PRECONDITION'}} | QUOTA
          400 | {'error':{'code':400,'message':'x','status':'FAILED_PRECONDITION'}} | INVALID_REQUEST
          401 | {'error':{'code':401,'message':'x','status':'UNAUTHENTICATED'}}     | CREDENTIAL
          403 | {'error':{'code':403,'message':'x','status':'PERMISSION_DENIED'}}   | CREDENTIAL
          404 | {'error':{'code':404,'message':'x','status':'NOT_FOUND'}}           | NOT_FOUND
          500 | {'error':{'code':500,'message':'x','status':'INTERNAL'}}            | UNAVAILABLE
          503 | [{'error':{'code':503,'message':'x','status':'UNAVAILABLE'}}]       | OVERLOADED
          504 | {'error':{'code':504,'message':'x','status':'DEADLINE_EXCEEDED'}}   | TIMEOUT
          """)
  @DisplayName("has the kind that its status and body mean")
  void kinds(int status, String body, FailureKind kind) {
    assertThat(failure(answer(status, body == null ? "" : body)).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "300, PROTOCOL",
    "302, PROTOCOL",
    "400, INVALID_REQUEST",
    "401, CREDENTIAL",
    "402, QUOTA",
    "403, CREDENTIAL",
    "404, NOT_FOUND",
    "405, INVALID_REQUEST",
    "408, TIMEOUT",
    "409, INVALID_REQUEST",
    "410, NOT_FOUND",
    "412, INVALID_REQUEST",
    "413, INVALID_REQUEST",
    "415, INVALID_REQUEST",
    "422, INVALID_REQUEST",
    "429, RATE_LIMITED",
    "499, INVALID_REQUEST",
    "500, UNAVAILABLE",
    "501, UNAVAILABLE",
    "502, UNAVAILABLE",
    "503, OVERLOADED",
    "504, TIMEOUT",
    "520, UNAVAILABLE",
    "522, UNAVAILABLE",
    "524, TIMEOUT",
    "529, OVERLOADED"
  })
  @DisplayName("is classified by its status if its body has no error object or is a proxy's page")
  void uninformativeBody(int status, FailureKind kind) {
    for (String body :
        List.of("", " ", "{", "{}", "[]", "null", "<html><body>rate_limit overloaded</body>")) {
      Failure failure = failure(answer(status, body));
      assertThat(failure.kind()).as(body).isEqualTo(kind);
      assertThat(failure.message()).isEqualTo("the upstream answered " + status);
      assertThat(failure(new CannedTransport(status, body)).kind()).isEqualTo(kind);
    }
  }

  @Test
  @DisplayName("carries the status and the upstream's message, cut when it is long")
  void message() {
    Failure failure = failure(answer(400, "{'error':{'message':'bad top_p'}}"));
    assertThat(failure.status()).isEqualTo(400);
    assertThat(failure.message()).isEqualTo("bad top_p");
    String longest = "x".repeat(500);
    assertThat(failure(answer(400, "{'error':{'message':'" + longest + "'}}")).message())
        .isEqualTo(longest);
    assertThat(failure(answer(400, "{'error':{'message':'" + longest + "y'}}")).message())
        .isEqualTo(longest + "...");
    assertThat(failure(answer(500, "")).message()).isEqualTo("the upstream answered 500");
  }

  @Test
  @DisplayName("never contains the credential, even if the upstream repeats it")
  void credential() {
    for (int status : List.of(400, 401)) {
      Failure failure =
          failure(answer(status, "{'error':{'message':'bad key " + SECRET + " given'}}"));
      assertThat(failure.message()).isEqualTo("bad key *** given");
    }
  }

  @Test
  @DisplayName("is classified without waiting for the end of a very long body")
  void longBody() {
    Failure failure = failure(answer(500, "x".repeat(10 << 20)));
    assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          retry-after    | 7                             | 7
          Retry-After    | 0                             | 0
          retry-after    | 1.2                           | 2
          retry-after    | Sat, 21 Nov 2026 08:01:30 GMT | 90
          retry-after    | Sat, 21 Nov 2026 07:00:00 GMT | 0
          retry-after    | -5                            | -1
          retry-after    | soon                          | -1
          retry-after    | 1e99                          | -1
          retry-after    | 99999999999999999999          | -1
          retry-after-ms | 1500                          | 2
          retry-after-ms | 0                             | 0
          retry-after-ms | x                             | -1
          x-other        | 5                             | -1
          """)
  @DisplayName("carries the time to wait in whole seconds")
  void retryAfter(String name, String value, long seconds) {
    assertThat(failure(answer(429, "{}").header(name, value)).retryAfterSeconds())
        .isEqualTo(seconds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          34s      | -  | 34
          34.07s   | -  | 35
          0s       | -  | 0
          34       | -  | -1
          soons    | -  | -1
          -3s      | -  | -1
          34s      | 7  | 7
          34s      | x  | 34
          """)
  @DisplayName("carries the time to wait from its body when no header gives a valid one")
  void retryDelay(String delay, @Nullable String header, long seconds) {
    CannedTransport transport =
        answer(
            429,
            "[{'error':{'code':429,'status':'RESOURCE_EXHAUSTED','details':["
                + "{'@type':'type.googleapis.com/google.rpc.QuotaFailure'},"
                + "{'@type':'type.googleapis.com/google.rpc.RetryInfo','retryDelay':'"
                + delay
                + "'}]}}]");
    Failure failure = failure(header == null ? transport : transport.header("retry-after", header));
    assertThat(failure.retryAfterSeconds()).isEqualTo(seconds);
    assertThat(failure.kind()).isEqualTo(FailureKind.RATE_LIMITED);
  }

  @Nested
  @DisplayName("before or during its answer")
  class Broken {
    private FailureKind kind(IOException exception) {
      return failure(new CannedTransport(200, "").failing(exception)).kind();
    }

    @Test
    @DisplayName("has the kind that the I/O exception means")
    void exceptions() {
      assertThat(kind(new ConnectException("refused"))).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(kind(new UnknownHostException("x"))).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(kind(new SocketException("reset"))).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(kind(new SocketTimeoutException("t"))).isEqualTo(FailureKind.TIMEOUT);
    }

    @Test
    @DisplayName("is unavailable when the body of an answer is cut")
    void cut() {
      var transport =
          new CannedTransport(200, "{\"ok\":[")
              .header("content-type", "application/json")
              .cutBy(new IOException("reset"));
      assertThat(failure(transport).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @ParameterizedTest
    @EnumSource(Cancellation.Cause.class)
    @DisplayName("has the kind of the cancellation's cause, whatever exception followed it")
    void cancelled(Cancellation.Cause cause) {
      var until = new Cancellation();
      until.cancel(cause);
      var transport = new CannedTransport(200, "").failing(new SocketException("closed"));
      assertThat(failure(transport, false, until).kind())
          .isEqualTo(cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED);
    }
  }

  @Test
  @DisplayName("closes the response")
  void closed() {
    for (CannedTransport transport :
        List.of(answer(500, "x"), answer(200, "nonsense"), answer(200, "{'error':'x'}"))) {
      failure(transport, false, new Cancellation());
      assertThat(transport.closed()).isEqualTo(1);
    }
  }
}
