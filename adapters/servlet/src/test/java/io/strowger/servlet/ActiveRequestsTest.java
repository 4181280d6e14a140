package io.strowger.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Cancellation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The requests that a servlet is answering")
class ActiveRequestsTest {
  @Test
  @DisplayName("are cancelled when the shutdown is interrupted, and still get time to end")
  void interrupted() throws InterruptedException {
    var requests = new ActiveRequests(Duration.ofMinutes(1));
    requests.open();
    var request = new Cancellation();
    assertThat(requests.begin(request)).isTrue();
    Thread closer = Thread.currentThread();
    var closed = new AtomicBoolean();
    var endedBeforeClose = new AtomicBoolean();
    Thread worker =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  // ends only when close() waits for it
                  while (closer.getState() != Thread.State.TIMED_WAITING && !closed.get()) {
                    Thread.yield();
                  }
                  endedBeforeClose.set(!closed.get());
                  requests.end(request);
                });
    request.onCancel(worker::start);

    closer.interrupt();
    requests.close();
    closed.set(true);

    assertThat(Thread.interrupted()).as("the interrupt is kept for the caller").isTrue();
    worker.join();
    assertThat(request.cause()).isEqualTo(Cancellation.Cause.SHUTDOWN);
    assertThat(endedBeforeClose).isTrue();
  }
}
