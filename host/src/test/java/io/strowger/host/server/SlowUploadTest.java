package io.strowger.host.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.CloseConnectionException;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The time in which a whole request must arrive")
class SlowUploadTest {
  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(30);

  @ParameterizedTest(name = "{0} bytes each second for at most {1} s")
  @DisplayName("is bounded at any speed")
  @CsvSource({"1000, 64", "17000, 600", "1000000, 600"})
  void bounded(int bytesPerSecond, int atMost) {
    var ambient = TestAmbient.at("2026-11-22T12:00:00Z");
    var swept = new AtomicReference<ConnectionReader>();
    var client =
        new ConnectionReader(
            new FakeSocket(
                () -> {
                  swept.get().check(ambient.nanoTime());
                  ambient.advance(Duration.ofSeconds(1));
                  swept.get().check(ambient.nanoTime());
                  return new byte[bytesPerSecond];
                }),
            CLIENT_TIMEOUT,
            ambient);
    swept.set(client);
    int seconds = 0;
    try {
      while (seconds < 10_000) {
        client.readBytes();
        seconds++;
      }
    } catch (CloseConnectionException givenUp) {
      assertThat(givenUp).hasMessage("the client is too slow");
    }
    assertThat(seconds).isBetween(atMost - 2, atMost + 2);
  }
}
