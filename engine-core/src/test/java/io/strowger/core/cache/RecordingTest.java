package io.strowger.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Recordings of answers for the cache")
class RecordingTest {
  private static final Event TEXT =
      new Event.TextDelta("x".repeat(900)); // 1,000 bytes with its objects
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private final AtomicLong recordedBytes = new AtomicLong();

  private Recording recording() {
    return new Recording(1_000_000, recordedBytes, 3_500);
  }

  @Test
  @DisplayName("together take no more than the configured bytes")
  void together() {
    Recording first = recording();
    Recording second = recording();
    first.add(TEXT);
    first.add(TEXT);
    second.add(TEXT);
    second.add(TEXT); // does not fit
    assertThat(recordedBytes).hasValue(2_000);
    second.add(END);
    assertThat(second.reason()).isNull();
    first.add(TEXT);
    first.add(END);
    assertThat(first.reason()).isEqualTo(StopReason.END);
    first.close();
    second.close();
    assertThat(recordedBytes).hasValue(0);
  }

  @Test
  @DisplayName("record nothing after they are closed")
  void closed() {
    Recording recording = recording();
    recording.add(TEXT);
    recording.close();
    recording.close();
    recording.add(TEXT);
    assertThat(recordedBytes).hasValue(0);
  }
}
