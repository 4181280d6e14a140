package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.DestinationType;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The name of a destination in the log")
class DestinationTest {
  private static final DestinationType WEBHOOK =
      Objects.requireNonNull(DestinationType.find("webhook"));

  @Test
  @DisplayName("consists of its id, type and name, and takes one line whatever the name is")
  void logName() {
    assertThat(Destination.logName("d", null, WEBHOOK)).isEqualTo("d (webhook)");
    assertThat(Destination.logName("d", "Büro 1", WEBHOOK)).isEqualTo("d (webhook, Büro 1)");
    assertThat(Destination.logName("d", "a\r\nERROR b\u2028c\u0085d\u001b[2Je", WEBHOOK))
        .isEqualTo("d (webhook, a ERROR b c d [2Je)");
  }
}
