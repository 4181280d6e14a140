package io.strowger.providers.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.providers.upstream.CannedTransport;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A responses upstream that refuses a request")
class ResponsesRefusalsTest {
  private static Failure failure(CannedTransport transport) {
    var settings =
        new ProviderSettings(
            "alpha",
            URI.create("http://alpha.example/v1/"),
            Map.of(),
            Duration.ofSeconds(3),
            ResponsesFixtures.CODEC,
            TestAmbient.at("2026-11-21T08:00:00Z"));
    Call call =
        Given.call(
            ResponsesFixtures.endpoint(),
            new Credential("key"),
            ResponsesFixtures.responses("{'input':'hi'}"),
            new Cancellation());
    try (var provider = new OpenAiResponsesFactory(transport).create(settings)) {
      UpstreamException thrown =
          catchThrowableOfType(UpstreamException.class, () -> provider.open(call));
      return thrown.failure();
    }
  }

  private static CannedTransport answer(int status, String body) {
    return new CannedTransport(status, body.replace('\'', '"'))
        .header("Content-Type", "application/json");
  }

  @Test
  @DisplayName("was sent the request at its responses path, with the credential as a bearer token")
  void request() {
    CannedTransport transport = answer(500, "");
    failure(transport);
    assertThat(transport.sent().uri()).hasToString("http://alpha.example/v1/responses");
    assertThat(transport.sent().headers()).containsEntry("Authorization", "Bearer key");
  }

  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          400 | {'error':{'message':'x','type':'invalid_request_error','param':'input','code':null}} | INVALID_REQUEST
          400 | {'error':{'message':'x','type':'invalid_request_error','code':'context_length_exceeded'}} | CONTEXT_LENGTH
          400 | {'error':{'message':'x','type':'image_content_policy_violation'}}           | CONTENT_POLICY
          401 | {'error':{'message':'Incorrect API key','code':'invalid_api_key'}}          | CREDENTIAL
          404 | {'error':{'message':'x','code':'model_not_found'}}                          | NOT_FOUND
          429 | {'error':{'message':'x','type':'insufficient_quota','code':'insufficient_quota'}} | QUOTA
          429 | {'error':{'message':'x','type':'tokens','code':'rate_limit_exceeded'}}      | RATE_LIMITED
          500 | {'error':{'message':'x','type':'server_error'}}                             | UNAVAILABLE
          503 | <html>busy</html>                                                           | OVERLOADED
          200 | {'status':'failed','error':{'code':'rate_limit_exceeded','message':'x'},'output':[]} | RATE_LIMITED
          200 | {'status':'failed','error':{'code':'server_error','message':'x'},'output':[]} | UNAVAILABLE
          200 | {'status':'failed','error':{'code':'invalid_prompt','message':'x'},'output':[]} | INVALID_REQUEST
          200 | {'status':'failed','error':{'code':'image_too_large','message':'x'},'output':[]} | INVALID_REQUEST
          200 | {'status':'failed','error':null,'output':[]}                                | UNAVAILABLE
          200 | {'status':'cancelled','error':null,'output':[]}                             | UNAVAILABLE
          200 | {'status':'in_progress','error':null,'output':[]}                           | PROTOCOL
          200 | {'status':'completed','error':null}                                         | PROTOCOL
          200 | {'choices':[]}                                                              | PROTOCOL
          200 | []                                                                          | PROTOCOL
          """)
  @DisplayName("makes the call fail with the kind of its status and error")
  void kinds(int status, String body, FailureKind kind) {
    CannedTransport transport = answer(status, body);
    assertThat(failure(transport).kind()).isEqualTo(kind);
    assertThat(transport.closed()).isPositive();
  }
}
