package io.strowger.simulated;

import io.strowger.spi.json.JsonOutput;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns a script into the bytes and pauses of one HTTP response. This is done once, so playing a
 * response without pauses costs a single write.
 */
final class StepWriter {
  static final int NOWHERE = Integer.MAX_VALUE;

  private static final byte[] LAST_CHUNK = utf8("0\r\n\r\n");
  private static final String NO_JSON = "<html>simulated nonsense</html>";

  private final Script script;
  private final ScriptedFault scriptedFault;
  private final UpstreamProtocol protocol;
  private final UpstreamProtocol.AnswerFrames answerFrames;
  private final List<ScriptedStep> steps = new ArrayList<>();
  private final JsonOutput pending = new JsonOutput(1024);

  private StepWriter(
      Script script, UpstreamProtocol voice, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.scriptedFault = script.fault();
    this.protocol = voice;
    this.answerFrames = voice.answer(script, parsedRequest);
  }

  static List<ScriptedStep> of(
      Script script, UpstreamProtocol voice, UpstreamProtocol.ParsedRequest parsedRequest) {
    var writer = new StepWriter(script, voice, parsedRequest);
    writer.pause(script.latency());
    if (writer.scriptedFault
        instanceof ScriptedFault.Refuse(int status, var headers, String body)) {
      writer.document(status, headers, utf8(body));
    } else if (!writer.wrong(
        ScriptedFault.BEFORE_HEAD, utf8("HTTP/1.1 200 OK\r\n"), utf8("nonsense"))) {
      if (parsedRequest.streaming()) {
        writer.stream();
      } else {
        writer.answer();
      }
    }
    writer.flush();
    return List.copyOf(writer.steps);
  }

  /** Writes an answer as one document; a fault after the head occurs at half of it. */
  private void answer() {
    byte[] body =
        switch (scriptedFault) {
          case ScriptedFault.Garbage garbage -> utf8(NO_JSON);
          case ScriptedFault.ErrorFrame error -> utf8(error.json());
          case ScriptedFault.Unfinished unfinished -> new byte[0];
          default -> answerFrames.document().toBytes();
        };
    head(200, "application/json", Map.of("Content-Length", Integer.toString(body.length)));
    if (wrong(ScriptedFault.AFTER_HEAD, body, new byte[0])) {
      return;
    }
    int half = body.length / 2;
    pending.bytes(body, 0, half);
    if (!wrong(place(), utf8("{"), new byte[0])) {
      pending.bytes(body, half, body.length);
    }
  }

  private int place() {
    return place(scriptedFault);
  }

  /** Returns the position of a fault; {@link #NOWHERE} when its kind has none. */
  static int place(ScriptedFault fault) {
    return switch (fault) {
      case ScriptedFault.Stall stall -> stall.at();
      case ScriptedFault.Drip drip -> drip.at();
      case ScriptedFault.Cut cut -> cut.at();
      case ScriptedFault.Reset reset -> reset.at();
      case ScriptedFault.CutInside cut -> cut.at();
      case ScriptedFault.Garbage garbage -> garbage.at();
      case ScriptedFault.ErrorFrame error -> error.at();
      case ScriptedFault.None none -> NOWHERE;
      case ScriptedFault.Refuse refuse -> NOWHERE;
      case ScriptedFault.Unfinished unfinished -> NOWHERE;
      case ScriptedFault.ContentType type -> NOWHERE;
    };
  }

  private void stream() {
    head(200, answerFrames.contentType(), Map.of("Transfer-Encoding", "chunked"));
    List<byte[]> opening = chunked(answerFrames.opening());
    List<byte[]> pieces = chunked(answerFrames.text());
    if (wrongChunk(ScriptedFault.AFTER_HEAD, first(opening, first(pieces, LAST_CHUNK)))) {
      return;
    }
    opening.forEach(pending::bytes);
    List<byte[]> ending = chunked(answerFrames.ending());
    if (!text(pieces, first(ending, LAST_CHUNK))) {
      return;
    }
    chunked(answerFrames.calls()).forEach(pending::bytes);
    if (!(scriptedFault instanceof ScriptedFault.Unfinished)) {
      ending.forEach(pending::bytes);
    }
    pending.ascii("0\r\n\r\n");
  }

  /** Writes the pieces of the text; returns false when the fault occurred among or after them. */
  private boolean text(List<byte[]> pieces, byte[] end) {
    for (int i = 0; i < pieces.size(); i++) {
      byte[] piece = pieces.get(i);
      if (i > 0) {
        if (wrongChunk(i, piece)) {
          return false;
        }
        pause(script.chunkDelay());
      }
      pending.bytes(piece);
    }
    return !wrongChunk(pieces.size(), end);
  }

  private static byte[] first(List<byte[]> pieces, byte[] otherwise) {
    return pieces.isEmpty() ? otherwise : pieces.getFirst();
  }

  private boolean wrongChunk(int here, byte[] next) {
    if (here == place() && scriptedFault instanceof ScriptedFault.ErrorFrame(int at, String json)) {
      pending.bytes(chunk(protocol.error(json)));
      pending.ascii("0\r\n\r\n");
      return true;
    }
    return wrong(here, next, chunk(protocol.broken()));
  }

  /** Applies the fault if it occurs at this position; returns whether it did. */
  private boolean wrong(int here, byte[] next, byte[] nonsense) {
    if (here != place()) {
      return false;
    }
    switch (scriptedFault) {
      case ScriptedFault.Stall stall -> then(new ScriptedStep.Stall());
      case ScriptedFault.Drip drip ->
          then(new ScriptedStep.Drip(chunk(protocol.keepAlive()), drip.every()));
      case ScriptedFault.Cut cut -> then(new ScriptedStep.Cut());
      case ScriptedFault.Reset reset -> then(new ScriptedStep.Reset());
      case ScriptedFault.CutInside cut -> {
        pending.bytes(next, 0, next.length / 2);
        then(new ScriptedStep.Cut());
      }
      case ScriptedFault.Garbage garbage when nonsense.length > 0 -> {
        pending.bytes(nonsense);
        then(new ScriptedStep.Cut());
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void document(int status, Map<String, String> headers, byte[] body) {
    var all = new TreeMap<>(headers);
    all.put("Content-Length", Integer.toString(body.length));
    String type = all.remove("Content-Type");
    head(status, type == null ? "application/json" : type, all);
    pending.bytes(body);
  }

  private void head(int status, String contentType, Map<String, String> headers) {
    String type =
        scriptedFault instanceof ScriptedFault.ContentType(String other) ? other : contentType;
    pending.ascii("HTTP/1.1 " + status + " Simulated\r\nContent-Type: " + type + "\r\n");
    headers.forEach((name, value) -> pending.ascii(name + ": " + value + "\r\n"));
    pending.ascii("\r\n");
  }

  private void pause(Duration time) {
    if (time.isPositive()) {
      then(new ScriptedStep.Pause(time));
    }
  }

  private void then(ScriptedStep scriptedStep) {
    flush();
    steps.add(scriptedStep);
  }

  private void flush() {
    if (pending.length() > 0) {
      steps.add(new ScriptedStep.Send(pending.toByteArray()));
      pending.reset();
    }
  }

  private static List<byte[]> chunked(List<byte[]> frames) {
    return frames.stream().map(StepWriter::chunk).toList();
  }

  private static byte[] chunk(byte[] bytes) {
    var out = new JsonOutput(bytes.length + 16);
    out.ascii(Integer.toHexString(bytes.length) + "\r\n");
    out.bytes(bytes);
    out.ascii("\r\n");
    return out.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
