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

@DisplayName("A document with status 200 that is no answer")
class ChatRefusalsTest {
  private static final String ASK = "{'messages':[{'role':'user','content':'hi'}]}";
  private static final String ASK_STREAM = ASK.replace("}]}", "}],'stream':true}");

  private static Failure failure(CannedTransport transport, String ask) {
    var settings =
        new ProviderSettings(
            "alpha",
            URI.create("http://alpha.example/v1"),
            Map.of(),
            Duration.ofSeconds(3),
            Bodies.CODEC,
            TestAmbient.at("2026-11-21T08:00:00Z"));
    try (var provider = new OpenAiChatFactory(transport).create(settings)) {
      UpstreamException thrown =
          catchThrowableOfType(
              UpstreamException.class, () -> provider.open(Bodies.call(Bodies.request(ask))));
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
  @DisplayName("is of the kind it means, where a stream was asked for too")
  void kinds(String body, FailureKind kind) {
    Failure whole = failure(answer(body), ASK);
    assertThat(whole.kind()).isEqualTo(kind);
    assertThat(failure(answer(body), ASK_STREAM)).isEqualTo(whole);
  }

  @Test
  @DisplayName("but one that ended with an error is that error's")
  void inChoice() {
    String body =
        "{'choices':[{'message':{'content':'half'},'finish_reason':'error','error':"
            + "{'code':502,'message':'lost'}}]}";
    for (String ask : List.of(ASK, ASK_STREAM)) {
      Failure failure = failure(answer(body), ask);
      assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
      assertThat(failure.message()).isEqualTo("lost");
    }
  }

  @Test
  @DisplayName("carries the time to wait that its headers say")
  void retryAfter() {
    CannedTransport transport = answer("{'error':{'code':429}}").header("retry-after", "7");
    assertThat(failure(transport, ASK).retryAfterSeconds()).isEqualTo(7);
  }

  @Test
  @DisplayName("leaves no response open")
  void closed() {
    for (CannedTransport transport : List.of(answer("nonsense"), answer("{'error':'x'}"))) {
      failure(transport, ASK);
      assertThat(transport.closed()).isEqualTo(1);
    }
  }
}
