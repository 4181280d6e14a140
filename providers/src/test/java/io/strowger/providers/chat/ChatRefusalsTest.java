package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.providers.upstream.CannedTransport;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.TestAmbient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A body with status 200 that is no answer")
class ChatRefusalsTest {
  private static final String REQUEST = "{'messages':[{'role':'user','content':'hi'}]}";
  private static final String STREAMING_REQUEST = REQUEST.replace("}]}", "}],'stream':true}");

  private static Failure failure(CannedTransport transport, String request) {
    var settings =
        new ProviderSettings(
            "alpha",
            URI.create("http://alpha.example/v1"),
            Map.of(),
            Duration.ofSeconds(3),
            ChatFixtures.CODEC,
            TestAmbient.at("2026-11-21T08:00:00Z"));
    try (var provider = new OpenAiChatFactory(transport).create(settings)) {
      UpstreamException thrown =
          catchThrowableOfType(
              UpstreamException.class,
              () -> provider.open(ChatFixtures.call(ChatFixtures.request(request))));
      return thrown.failure();
    }
  }

  private static CannedTransport answer(String body) {
    return new CannedTransport(200, body.replace('\'', '"'))
        .header("Content-Type", "application/json");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'error':{'message':'slow','code':429}}                             | RATE_LIMITED
          {'error':{'message':'x','code':'insufficient_quota'}}               | QUOTA
          {'error':'something broke'}                                         | UNAVAILABLE
          {'object':'error','message':'too hot','code':400}                   | INVALID_REQUEST
          [{'error':{'code':503,'message':'x','status':'UNAVAILABLE'}}]       | PROTOCOL
          {'choices':[],'error':{'code':500}}                                 | UNAVAILABLE
          {'hello':'world'}                                                   | PROTOCOL
          {'choices':[]}                                                      | PROTOCOL
          {'choices':[{'text':'old style'}]}                                  | PROTOCOL
          {'choices':[                                                        | PROTOCOL
          'a string'                                                          | PROTOCOL
          """)
  @DisplayName("fails with the kind that it means, also when a stream was requested")
  void kinds(String body, FailureKind kind) {
    Failure failure = failure(answer(body), REQUEST);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure(answer(body), STREAMING_REQUEST)).isEqualTo(failure);
  }

  @Test
  @DisplayName("fails with the error of a choice that ended with one")
  void inChoice() {
    String body =
        "{'choices':[{'message':{'content':'half'},'finish_reason':'error','error':"
            + "{'code':502,'message':'lost'}}]}";
    for (String request : List.of(REQUEST, STREAMING_REQUEST)) {
      Failure failure = failure(answer(body), request);
      assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(failure.message()).isEqualTo("lost");
    }
  }

  @Test
  @DisplayName("fails with the time to wait from its headers")
  void retryAfter() {
    CannedTransport transport = answer("{'error':{'code':429}}").header("retry-after", "7");
    assertThat(failure(transport, REQUEST).retryAfterSeconds()).isEqualTo(7);
  }

  @Test
  @DisplayName("fails without leaving the response open")
  void closed() {
    for (CannedTransport transport : List.of(answer("nonsense"), answer("{'error':'x'}"))) {
      failure(transport, REQUEST);
      assertThat(transport.closed()).isEqualTo(1);
    }
  }
}
