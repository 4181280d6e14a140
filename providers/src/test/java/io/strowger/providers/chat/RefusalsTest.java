package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamFailure;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A refusal")
class RefusalsTest {
  private static final String SECRET = "sk-very-secret";
  private static final TestAmbient AMBIENT = TestAmbient.at("2026-11-21T08:00:00Z");
  private static final String ASK = "{'messages':[{'role':'user','content':'hi'}]}";

  private static Failure failure(CannedTransport transport, String ask, Cancellation until) {
    InferenceRequest request = Bodies.request(ask);
    Call call =
        new Call(
            Bodies.endpoint(),
            new Credential(SECRET),
            request,
            0,
            null,
            Duration.ofSeconds(9),
            until);
    var settings =
        new ProviderSettings(
            "alpha",
            URI.create("http://alpha.example/v1"),
            Map.of(),
            Duration.ofSeconds(3),
            Bodies.CODEC,
            AMBIENT);
    try (var provider = new OpenAiChatFactory(transport).create(settings)) {
      UpstreamFailure thrown =
          catchThrowableOfType(UpstreamFailure.class, () -> provider.open(call));
      return thrown.failure();
    }
  }

  private static Failure failure(CannedTransport transport) {
    Failure whole = failure(transport, ASK, new Cancellation());
    Failure stream =
        failure(transport, ASK.replace("}]}", "}],'stream':true}"), new Cancellation());
    assertThat(stream).as("the same for a stream").isEqualTo(whole);
    return whole;
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
          200 | {'error':{'message':'slow','code':429}}                             | RATE_LIMITED
          200 | {'error':{'message':'x','code':'insufficient_quota'}}               | QUOTA
          200 | {'error':'something broke'}                                         | UNAVAILABLE
          200 | {'object':'error','message':'too hot','code':400}                   | INVALID_REQUEST
          200 | [{'error':{'code':503,'message':'x','status':'UNAVAILABLE'}}]       | PROTOCOL
          200 | {'choices':[],'error':{'code':500}}                                 | UNAVAILABLE
          200 | {'hello':'world'}                                                   | PROTOCOL
          200 | {'choices':[]}                                                      | PROTOCOL
          200 | {'choices':[{'text':'old style'}]}                                  | PROTOCOL
          200 | {'choices':[                                                        | PROTOCOL
          200 | 'a string'                                                          | PROTOCOL
          """)
  @DisplayName("is of the kind it means")
  void kinds(int status, String body, FailureKind kind) {
    assertThat(failure(answer(status, body == null ? "" : body)).kind()).isEqualTo(kind);
  }

  @Test
  @DisplayName("of a choice that ended with an error is that error's")
  void inChoice() {
    String body =
        "{'choices':[{'message':{'content':'half'},'finish_reason':'error','error':"
            + "{'code':502,'message':'lost'}}]}";
    Failure failure = failure(answer(200, body), ASK, new Cancellation());
    assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
    assertThat(failure.message()).isEqualTo("lost");
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
  @DisplayName("never shows the credential, even when the upstream repeats it")
  void credential() {
    for (int status : List.of(400, 401)) {
      Failure failure =
          failure(answer(status, "{'error':{'message':'bad key " + SECRET + " given'}}"));
      assertThat(failure.message()).isEqualTo("bad key *** given");
    }
  }

  @Test
  @DisplayName("is not read to the end when it does not end")
  void endless() {
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

  @Nested
  @DisplayName("that nobody spoke")
  class OnTheWay {
    private FailureKind kind(IOException broken) {
      return failure(new CannedTransport(200, "").failing(broken)).kind();
    }

    @Test
    @DisplayName("is of the kind of what broke")
    void broke() {
      assertThat(kind(new ConnectException("refused"))).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(kind(new UnknownHostException("x"))).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(kind(new SocketException("reset"))).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(kind(new SocketTimeoutException("t"))).isEqualTo(FailureKind.TIMEOUT);
    }

    @Test
    @DisplayName("is unavailable when the body of an answer is cut")
    void cut() {
      var transport =
          new CannedTransport(200, "{\"choices\":[")
              .header("content-type", "application/json")
              .cutBy(new IOException("reset"));
      assertThat(failure(transport).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @ParameterizedTest
    @EnumSource(Cancellation.Cause.class)
    @DisplayName("tells the cause of a cancellation, whatever broke then")
    void cancelled(Cancellation.Cause cause) {
      var until = new Cancellation();
      until.cancel(cause);
      var transport = new CannedTransport(200, "").failing(new SocketException("closed"));
      assertThat(failure(transport, ASK, until).kind())
          .isEqualTo(cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED);
    }
  }

  @Test
  @DisplayName("leaves no response open")
  void closed() {
    for (CannedTransport transport :
        List.of(answer(500, "x"), answer(200, "nonsense"), answer(200, "{'error':'x'}"))) {
      failure(transport, ASK, new Cancellation());
      assertThat(transport.closed()).isEqualTo(1);
    }
  }
}
