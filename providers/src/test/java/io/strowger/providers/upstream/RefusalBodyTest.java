package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A refusal whose body breaks off")
class RefusalBodyTest {
  @ParameterizedTest
  @CsvSource({
    "FIRST_CONTENT, OVERLOADED",
    "TOTAL, OVERLOADED",
    "CALLER_GONE, CANCELLED",
    "SHUTDOWN, CANCELLED"
  })
  @DisplayName("is classified by its status, unless the request was cancelled")
  void brokenOff(Cancellation.Cause cause, FailureKind kind) {
    var cancellation = new Cancellation();
    var transport =
        new CannedTransport(503, "{")
            .atEnd(() -> cancellation.cancel(cause))
            .cutBy(new IOException("cancelled"));
    UpstreamException failure =
        catchThrowableOfType(
            UpstreamException.class, () -> MinimalCodec.read(transport, false, cancellation));
    assertThat(failure.kind()).isEqualTo(kind);
  }
}
