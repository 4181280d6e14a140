package io.strowger.simulated;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Plays the scripts of one connection, request by request. */
final class Connection {
  private static final String UNKNOWN_MODEL_BODY =
      "{\"error\":{\"message\":\"The simulated upstream has no such model\","
          + "\"code\":\"model_not_found\"}}";
  private static final byte[] UNKNOWN_MODEL_RESPONSE =
      ("HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: "
              + UNKNOWN_MODEL_BODY.length()
              + "\r\n\r\n"
              + UNKNOWN_MODEL_BODY)
          .getBytes(StandardCharsets.US_ASCII);

  private final SimulatedUpstream upstream;
  private final HttpRequestReader reader;
  private final OutputStream out;

  Connection(SimulatedUpstream upstream, Socket socket, int number) throws IOException {
    this.upstream = upstream;
    this.reader = new HttpRequestReader(socket, number);
    this.out = socket.getOutputStream();
  }

  /** Serves until either side closes. */
  void play() throws IOException {
    for (ReceivedRequest request = reader.read(); request != null; request = reader.read()) {
      List<ScriptedStep> steps = upstream.steps(request);
      upstream.recordRequest(request);
      if (steps == null) {
        out.write(UNKNOWN_MODEL_RESPONSE);
      } else if (!play(steps)) {
        return;
      }
    }
  }

  /** Plays the steps; returns false when the connection cannot be used any more. */
  private boolean play(List<ScriptedStep> steps) {
    try {
      for (ScriptedStep step : steps) {
        boolean disconnected =
            switch (step) {
              case ScriptedStep.Send(byte[] bytes) -> {
                out.write(bytes);
                yield false;
              }
              case ScriptedStep.Pause(Duration time) -> reader.awaitDisconnect(time);
              case ScriptedStep.Stall stall -> reader.awaitDisconnect();
              case ScriptedStep.Drip(byte[] bytes, Duration interval) ->
                  dripUntilDisconnect(bytes, interval);
              case ScriptedStep.Cut cut -> false;
              case ScriptedStep.Reset reset -> {
                reader.resetWhenClosed();
                yield false;
              }
            };
        if (disconnected) {
          upstream.recordDisconnect();
        }
        if (disconnected
            || step instanceof ScriptedStep.Cut
            || step instanceof ScriptedStep.Reset) {
          return false;
        }
      }
      return true;
    } catch (IOException cut) {
      upstream.recordDisconnect();
      return false;
    }
  }

  private boolean dripUntilDisconnect(byte[] bytes, Duration interval) throws IOException {
    do {
      out.write(bytes);
    } while (!reader.awaitDisconnect(interval));
    return true;
  }
}
