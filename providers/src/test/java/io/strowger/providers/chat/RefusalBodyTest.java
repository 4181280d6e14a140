package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamFailure;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A refusal whose body does not end")
class RefusalBodyTest {
  @ParameterizedTest
  @CsvSource({
    "FIRST_CONTENT, OVERLOADED",
    "TOTAL, OVERLOADED",
    "CALLER_GONE, CANCELLED",
    "SHUTDOWN, CANCELLED"
  })
  @DisplayName("means what its status says, unless nobody waits any more")
  void stalled(Cancellation.Cause cause, FailureKind kind) {
    var cancellation = new Cancellation();
    var transport =
        new CannedTransport(503, "{")
            .atEnd(() -> cancellation.cancel(cause))
            .cutBy(new IOException("cancelled"));
    var settings =
        new ProviderSettings(
            "alpha",
            URI.create("http://a/v1"),
            Map.of(),
            Duration.ofSeconds(1),
            Bodies.CODEC,
            TestAmbient.realTime());
    var call =
        new Call(
            Bodies.endpoint(),
            Credential.NONE,
            Bodies.request("{'model':'m','messages':[{'role':'user','content':'hi'}]}"),
            0,
            null,
            Duration.ofSeconds(1),
            cancellation);
    UpstreamFailure failure =
        catchThrowableOfType(
            UpstreamFailure.class,
            () -> new OpenAiChatFactory(transport).create(settings).open(call));
    assertThat(failure.kind()).isEqualTo(kind);
  }
}
