package io.strowger.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Answers that are being taken down")
class RecordingTest {
  private static final Event TEXT = new Event.TextDelta("x".repeat(900)); // 1,000 with its objects
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private final AtomicLong underWay = new AtomicLong();

  private Recording recording() {
    return new Recording(1_000_000, underWay, 3_500);
  }

  @Test
  @DisplayName("take no more together than the cache may")
  void together() {
    Recording first = recording();
    Recording second = recording();
    first.add(TEXT);
    first.add(TEXT);
    second.add(TEXT);
    second.add(TEXT); // no room for it
    assertThat(underWay).hasValue(2_000);
    second.add(END);
    assertThat(second.reason()).isNull();
    first.add(TEXT);
    first.add(END);
    assertThat(first.reason()).isEqualTo(StopReason.END);
    first.close();
    second.close();
    assertThat(underWay).hasValue(0);
  }

  @Test
  @DisplayName("take nothing once they are closed")
  void closed() {
    Recording recording = recording();
    recording.add(TEXT);
    recording.close();
    recording.close();
    recording.add(TEXT);
    assertThat(underWay).hasValue(0);
  }
}
