package io.strowger.benchmarks.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.benchmarks.http.Samples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The safety benchmark")
class SafetyBenchTest {
  private static final HostileLoad TRIAL =
      new HostileLoad(new AttackScenario("something", 1, gateway -> gateway.count("200")));

  /** Returns the traffic of a hundred answers, of which two took this long. */
  private static HonestTraffic honest(long slowest, long failures) {
    var times = new Samples();
    for (int i = 0; i < 98; i++) {
      times.add(1_000_000);
    }
    times.add(slowest);
    times.add(slowest);
    return new HonestTraffic(times, failures, 2_000_000);
  }

  @Test
  @DisplayName("passes a row whose 99th percentile is up to five times as long, and no more")
  void ratio() {
    HonestTraffic alone = honest(2_000_000, 0);
    Outcome five = TRIAL.judge(alone, honest(10_000_000, 0), 0, "200=3");
    assertThat(five.ratio()).isEqualTo(5);
    assertThat(five.passes()).isTrue();
    assertThat(five.line()).contains("something", "5.0x", "pass", "200=3");
    Outcome more = TRIAL.judge(alone, honest(10_100_000, 0), 0, "");
    assertThat(more.passes()).isFalse();
    assertThat(more.line()).contains("MISS", "more than 5 times as long");
  }

  @Test
  @DisplayName("misses a row when an honest request fails or a deadline is not kept")
  void faults() {
    HonestTraffic good = honest(2_000_000, 0);
    assertThat(TRIAL.judge(good, honest(2_000_000, 1), 0, "").faults())
        .isEqualTo("1 honest requests failed");
    long late = ServedGatewayProcess.TOTAL_TIMEOUT.plus(HostileLoad.MAX_LATE).toNanos();
    assertThat(TRIAL.judge(good, good, late, "").passes()).isTrue();
    assertThat(TRIAL.judge(good, good, late + 1_000_000, "").faults()).isEqualTo("deadline missed");
  }

  @Test
  @DisplayName("misses a row when a probe takes more than half a second")
  void probes() {
    HonestTraffic good = honest(2_000_000, 0);
    assertThat(TRIAL.judge(good, probed(500_000_000), 0, "").passes()).isTrue();
    assertThat(TRIAL.judge(good, probed(500_000_001), 0, "").faults())
        .isEqualTo("a probe took more than 500 ms");
  }

  private static HonestTraffic probed(long slowest) {
    return new HonestTraffic(honest(2_000_000, 0).times(), 0, slowest);
  }

  @Test
  @DisplayName(
      "misses overload unless some requests are served, the others refused, and the heap freed")
  void overload() {
    var overload = new Overload();
    assertThat(overload.judge("200=9 503=41", 9, 41, true, 60).passes()).isTrue();
    assertThat(overload.judge("", 9, 0, true, 60).faults()).isEqualTo("41 lost, none refused");
    assertThat(overload.judge("", 50, 0, true, 60).faults()).isEqualTo("none refused");
    assertThat(overload.judge("", 0, 50, true, 60).faults()).isEqualTo("none served");
    assertThat(overload.judge("", 9, 41, false, 60).faults()).isEqualTo("no longer answers");
    assertThat(overload.judge("", 9, 41, true, -1).faults()).isEqualTo("heap not known");
    assertThat(overload.judge("", 9, 41, true, 200).faults()).isEqualTo("heap not free again");
  }

  @Test
  @DisplayName("misses unread answers when they exclude other requests or keep their places")
  void unread() {
    var unread = new UnreadAnswers();
    long soon = UnreadAnswers.MAX_HOLD_TIME.toNanos();
    assertThat(unread.judge(2, 0, soon).passes()).isTrue();
    assertThat(unread.judge(0, 1, soon).faults())
        .isEqualTo("one key got all places, 1 honest requests failed");
    assertThat(unread.judge(2, 0, soon + 1).faults()).isEqualTo("places not free again");
  }

  @Test
  @DisplayName("misses a cold start when one request is not answered")
  void coldStart() {
    assertThat(new ColdStart().judge("200=200", 200).passes()).isTrue();
    assertThat(new ColdStart().judge("200=140 503=60", 140).faults()).isEqualTo("60 not answered");
  }

  @Test
  @DisplayName("ends with 1 when a row misses")
  void exitCode() {
    var good = new Outcome("a", null, null, "", "");
    var bad = new Outcome("b", null, null, "", "lost");
    assertThat(SafetyBench.exitCode(List.of(good))).isZero();
    assertThat(SafetyBench.exitCode(List.of(good, bad))).isEqualTo(1);
  }

  @Test
  @DisplayName("runs all trials, or those with the given name, with phases of the given seconds")
  void options() {
    assertThat(SafetyBench.Options.of().trials()).hasSameSizeAs(SafetyBench.allTrials());
    var options = SafetyBench.Options.of("--seconds", "2", "--only", "endless s");
    assertThat(options.seconds()).isEqualTo(2);
    assertThat(options.trials()).extracting(Trial::name).containsExactly("endless streams");
    assertThatThrownBy(() -> SafetyBench.Options.of("--seconds", "0"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SafetyBench.Options.of("--fast"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "--only, nonesuch, no trial has nonesuch in its name",
    "--seconds, x, '--seconds must be a whole number from 1 to 60, was x'",
    "--seconds, 61, '--seconds must be a whole number from 1 to 60, was 61'",
    "--fast, x, unknown option --fast",
  })
  @DisplayName("reports what is wrong with a command line, and explains its options")
  void refusedOptions(String option, String value, String reason) throws Exception {
    var text = new ByteArrayOutputStream();
    var out = new PrintStream(text, true, StandardCharsets.UTF_8);
    assertThat(SafetyBench.run(new String[] {option, value}, out)).isEqualTo(2);
    assertThat(text.toString(StandardCharsets.UTF_8))
        .startsWith("not understood: " + reason)
        .contains("safety takes");
  }

  @Test
  @DisplayName("counts the answers by status, and the requests without an answer")
  void gateway() throws IOException, InterruptedException {
    try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var gateway =
            new AttackedGateway(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/api"))) {
      Thread answering = new Threads().start("server", () -> answerOnceThenDisconnect(server));
      byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
      String head = gateway.head("POST", "/x", "key", body.length);
      gateway.exchange(head, body);
      gateway.exchange(head, body);
      answering.join();
      assertThat(gateway.outcomes()).isEqualTo("503=1 lost=1");
      assertThat(gateway.longestNanos()).isPositive();
    }
  }

  private static void answerOnceThenDisconnect(ServerSocket server) {
    try {
      try (Socket first = server.accept()) {
        first.getInputStream().readNBytes(100);
        OutputStream out = first.getOutputStream();
        out.write("HTTP/1.1 503 Service Unavailable\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        first.shutdownOutput();
        first.getInputStream().readAllBytes();
      }
      try (Socket second = server.accept()) {
        second.shutdownOutput();
        second.getInputStream().readAllBytes();
      }
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }
}
