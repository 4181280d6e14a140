package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.stores.ServerExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@DisplayName("Four processes on one server")
class ManyProcessesTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final int PROCESSES = 4;
  private static final int REQUESTS = 50; // of each process, at once
  private static final int AFFORDABLE = 25;

  @TempDir private Path directory;

  private RunningNodeProcess start(int number, String key) throws IOException {
    return RunningNodeProcess.start(
        List.of(
            SERVER.url(),
            ServerExtension.USER,
            directory.resolve("process-" + number).toString(),
            key,
            "" + AFFORDABLE,
            "" + REQUESTS,
            "1"));
  }

  @Test
  @DisplayName("serve 25 of 200 requests when a key can pay for 25, less one in each node at most")
  void sharedKey() throws Exception {
    SERVER.node(0); // creates the tables
    String key = UUID.randomUUID().toString();
    var processes = new ArrayList<RunningNodeProcess>();
    try {
      for (int number = 0; number < PROCESSES; number++) {
        processes.add(start(number, key));
      }
      for (RunningNodeProcess process : processes) {
        assertThat(process.awaitReady()).isZero();
      }
      for (RunningNodeProcess process : processes) {
        process.begin();
      }
      int served = 0;
      for (RunningNodeProcess process : processes) {
        served += process.readNumber("served ");
      }
      // each node may keep less than one request costs
      assertThat(served).isBetween(AFFORDABLE - PROCESSES, AFFORDABLE);
      for (RunningNodeProcess process : processes) {
        assertThat(process.awaitExit()).isZero();
      }
      try (RunningNodeProcess last = start(PROCESSES, key)) {
        assertThat(last.awaitReady()).as("the requests in the books").isEqualTo(served);
        last.begin();
        assertThat(last.readNumber("served ")).as("what was left").isEqualTo(AFFORDABLE - served);
      }
    } finally {
      processes.forEach(RunningNodeProcess::close);
    }
  }
}
