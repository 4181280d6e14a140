package io.strowger.benchmarks.report;

import io.strowger.benchmarks.GatewayConfigs;
import io.strowger.benchmarks.http.HttpContender;
import io.strowger.benchmarks.http.JvmCounters;
import io.strowger.benchmarks.http.RawConnection;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Upstream;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedUpstream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Measures how much heap a server needs for an open stream that waits between two chunks. */
final class OpenStreams {
  /** The number of streams that are open at a time. */
  static final int COUNT = 400;

  private static final Duration PAUSE = Duration.ofMinutes(5);
  private static final byte[] CHUNK = "data:".getBytes(StandardCharsets.US_ASCII);
  private static final int TIMEOUT_MILLIS = 20_000;

  private OpenStreams() {}

  /** Returns an upstream whose streams begin at once and then pause. */
  static SimulatedUpstream upstream() {
    Script stalling =
        Script.builder().text("word ".repeat(10)).chunks(10).chunkDelay(PAUSE).build();
    return SimulatedUpstream.start(new SystemAmbient())
        .script(Upstream.SHORT, Script.answer("A few words. "))
        .script(Upstream.LONG, stalling);
  }

  /** Opens streams, and returns the kilobytes of heap that one of them needs. */
  static double kilobytes(HttpContender contender, JvmCounters counters) throws IOException {
    byte[] request =
        RawConnection.post(
            contender.uri(), GatewayConfigs.KEY, Scenario.of("stream").body(contender.prefix()));
    Deque<Socket> sockets = new ArrayDeque<>();
    try {
      sockets.push(openStream(contender, request)); // so that the classes it loads are not counted
      long before = counters.liveHeap();
      for (int i = 0; i < COUNT; i++) {
        sockets.push(openStream(contender, request));
      }
      return (counters.liveHeap() - before) / 1e3 / COUNT;
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Opens a stream and waits for its first chunk. */
  private static Socket openStream(HttpContender contender, byte[] request) throws IOException {
    var socket = new Socket(contender.uri().getHost(), contender.uri().getPort());
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request);
      awaitChunk(contender.name(), socket.getInputStream());
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static void awaitChunk(String contender, InputStream in) throws IOException {
    int matched = 0;
    while (matched < CHUNK.length) {
      int read = in.read();
      if (read < 0) {
        throw new EOFException(contender + " ended a stream before its first chunk");
      }
      matched = read == CHUNK[matched] ? matched + 1 : read == CHUNK[0] ? 1 : 0;
    }
  }
}
