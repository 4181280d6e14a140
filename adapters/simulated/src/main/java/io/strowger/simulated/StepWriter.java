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
  private static final byte[] LAST_CHUNK = utf8("0\r\n\r\n");
  private static final String NON_JSON = "<html>simulated nonsense</html>";

  private final Script script;
  private final ScriptedFault fault;
  private final UpstreamProtocol protocol;
  private final UpstreamProtocol.AnswerFrames answerFrames;
  private final List<ScriptedStep> steps = new ArrayList<>();
  private final JsonOutput pending = new JsonOutput(1024);

  private StepWriter(
      Script script, UpstreamProtocol protocol, UpstreamProtocol.ParsedRequest parsedRequest) {
    this.script = script;
    this.fault = script.fault();
    this.protocol = protocol;
    this.answerFrames = protocol.answer(script, parsedRequest);
  }

  static List<ScriptedStep> of(
      Script script, UpstreamProtocol protocol, UpstreamProtocol.ParsedRequest parsedRequest) {
    var writer = new StepWriter(script, protocol, parsedRequest);
    writer.addPause(script.latency());
    if (writer.fault instanceof ScriptedFault.RawResponse(int status, var headers, String body)) {
      writer.writeDocument(status, headers, utf8(body));
    } else if (!writer.applyFault(
        ScriptedFault.BEFORE_HEAD, utf8("HTTP/1.1 200 OK\r\n"), utf8("nonsense"))) {
      if (parsedRequest.streaming()) {
        writer.writeStream();
      } else {
        writer.writeAnswer();
      }
    }
    writer.flush();
    return List.copyOf(writer.steps);
  }

  /** Writes an answer as one document; a fault after the head occurs at half of it. */
  private void writeAnswer() {
    byte[] body =
        switch (fault) {
          case ScriptedFault.Garbage garbage -> utf8(NON_JSON);
          case ScriptedFault.ErrorFrame error -> utf8(error.json());
          case ScriptedFault.Unfinished unfinished -> new byte[0];
          default -> answerFrames.document().toBytes();
        };
    writeHead(200, "application/json", Map.of("Content-Length", Integer.toString(body.length)));
    if (applyFault(ScriptedFault.AFTER_HEAD, body, new byte[0])) {
      return;
    }
    int half = body.length / 2;
    pending.bytes(body, 0, half);
    if (!applyFault(position(), utf8("{"), new byte[0])) {
      pending.bytes(body, half, body.length);
    }
  }

  private int position() {
    return fault.position();
  }

  private void writeStream() {
    writeHead(200, answerFrames.contentType(), Map.of("Transfer-Encoding", "chunked"));
    List<byte[]> opening = chunked(answerFrames.opening());
    List<byte[]> pieces = chunked(answerFrames.text());
    if (applyFaultToChunk(
        ScriptedFault.AFTER_HEAD, firstOr(opening, firstOr(pieces, LAST_CHUNK)))) {
      return;
    }
    opening.forEach(pending::bytes);
    List<byte[]> ending = chunked(answerFrames.ending());
    if (!writeText(pieces, firstOr(ending, LAST_CHUNK))) {
      return;
    }
    chunked(answerFrames.betweenTextAndEnding()).forEach(pending::bytes);
    if (!(fault instanceof ScriptedFault.Unfinished)) {
      ending.forEach(pending::bytes);
    }
    pending.ascii("0\r\n\r\n");
  }

  /** Writes the pieces of the text; returns false when the fault occurred among or after them. */
  private boolean writeText(List<byte[]> pieces, byte[] end) {
    for (int i = 0; i < pieces.size(); i++) {
      byte[] piece = pieces.get(i);
      if (i > 0) {
        if (applyFaultToChunk(i, piece)) {
          return false;
        }
        addPause(script.chunkDelay());
      }
      pending.bytes(piece);
    }
    return !applyFaultToChunk(pieces.size(), end);
  }

  private static byte[] firstOr(List<byte[]> pieces, byte[] fallback) {
    return pieces.isEmpty() ? fallback : pieces.getFirst();
  }

  private boolean applyFaultToChunk(int position, byte[] next) {
    if (position == position()
        && fault instanceof ScriptedFault.ErrorFrame(int faultPosition, String json)) {
      pending.bytes(chunk(protocol.errorFrame(json)));
      pending.ascii("0\r\n\r\n");
      return true;
    }
    return applyFault(position, next, chunk(protocol.malformedFrame()));
  }

  /** Applies the fault if it occurs at this position; returns whether it did. */
  private boolean applyFault(int position, byte[] next, byte[] nonsense) {
    if (position != position()) {
      return false;
    }
    switch (fault) {
      case ScriptedFault.Stall stall -> addStep(new ScriptedStep.Stall());
      case ScriptedFault.Drip drip ->
          addStep(new ScriptedStep.Drip(chunk(protocol.keepAlive()), drip.interval()));
      case ScriptedFault.Cut cut -> addStep(new ScriptedStep.Cut());
      case ScriptedFault.Reset reset -> addStep(new ScriptedStep.Reset());
      case ScriptedFault.CutInside cut -> {
        pending.bytes(next, 0, next.length / 2);
        addStep(new ScriptedStep.Cut());
      }
      case ScriptedFault.Garbage garbage when nonsense.length > 0 -> {
        pending.bytes(nonsense);
        addStep(new ScriptedStep.Cut());
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void writeDocument(int status, Map<String, String> headers, byte[] body) {
    var allHeaders = new TreeMap<>(headers);
    allHeaders.put("Content-Length", Integer.toString(body.length));
    String type = allHeaders.remove("Content-Type");
    writeHead(status, type == null ? "application/json" : type, allHeaders);
    pending.bytes(body);
  }

  private void writeHead(int status, String contentType, Map<String, String> headers) {
    String type =
        fault instanceof ScriptedFault.ContentType(String override) ? override : contentType;
    pending.ascii("HTTP/1.1 " + status + " Simulated\r\nContent-Type: " + type + "\r\n");
    headers.forEach((name, value) -> pending.ascii(name + ": " + value + "\r\n"));
    pending.ascii("\r\n");
  }

  private void addPause(Duration time) {
    if (time.isPositive()) {
      addStep(new ScriptedStep.Pause(time));
    }
  }

  private void addStep(ScriptedStep step) {
    flush();
    steps.add(step);
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
