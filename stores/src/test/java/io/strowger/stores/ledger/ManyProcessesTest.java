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
  private static final int REQUESTS = 50; // of each, at once
  private static final int PAID_FOR = 25;

  @TempDir private Path directory;

  private RunningNodeProcess start(int number, String key) throws IOException {
    return RunningNodeProcess.start(
        List.of(
            SERVER.url(),
            ServerExtension.USER,
            directory.resolve("process-" + number).toString(),
            key,
            "" + PAID_FOR,
            "" + REQUESTS,
            "1"));
  }

  @Test
  @DisplayName("serve 25 of 200 requests when a key can pay for 25, but for a rest in each node")
  void sharedKey() throws Exception {
    SERVER.node(0); // makes the tables
    String key = UUID.randomUUID().toString();
    var processes = new ArrayList<RunningNodeProcess>();
    try {
      for (int number = 0; number < PROCESSES; number++) {
        processes.add(start(number, key));
      }
      for (RunningNodeProcess process : processes) {
        assertThat(process.ready()).isZero();
      }
      for (RunningNodeProcess process : processes) {
        process.go();
      }
      int served = 0;
      for (RunningNodeProcess process : processes) {
        served += process.number("served ");
      }
      // a node may be left with less than one request costs
      assertThat(served).isBetween(PAID_FOR - PROCESSES, PAID_FOR);
      for (RunningNodeProcess process : processes) {
        assertThat(process.exit()).isZero();
      }
      try (RunningNodeProcess last = start(PROCESSES, key)) {
        assertThat(last.ready()).as("what the books say").isEqualTo(served);
        last.go();
        assertThat(last.number("served ")).as("what was left").isEqualTo(PAID_FOR - served);
      }
    } finally {
      processes.forEach(RunningNodeProcess::close);
    }
  }
}
