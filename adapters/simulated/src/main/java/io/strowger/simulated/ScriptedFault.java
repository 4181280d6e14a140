package io.strowger.simulated;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How a scripted answer goes wrong. A {@code position} is {@link #BEFORE_HEAD}, {@link #AFTER_HEAD}
 * or the number of content chunks sent before the fault; in an answer that is one document, half of
 * the document is sent before the fault.
 */
public sealed interface ScriptedFault {
  int BEFORE_HEAD = -1;
  int AFTER_HEAD = 0;

  /** Returns where the answer goes wrong; the largest number when it does not at one place. */
  default int position() {
    return Integer.MAX_VALUE;
  }

  /** Nothing goes wrong. */
  record None() implements ScriptedFault {}

  /**
   * Answers with this status and body, whatever was asked; a good answer when the status is 200 and
   * the body is one. The body is JSON unless the headers have another {@code Content-Type}.
   */
  record RawResponse(int status, Map<String, String> headers, String body)
      implements ScriptedFault {
    public RawResponse {
      headers = Map.copyOf(headers);
      Objects.requireNonNull(body, "body");
    }
  }

  /** Sends nothing more until the client disconnects. */
  record Stall(int position) implements ScriptedFault {}

  /**
   * Sends only comments, or the dialect's equivalent, at this interval until the client
   * disconnects. Must not be before the head.
   */
  record Drip(int position, Duration interval) implements ScriptedFault {}

  /** Closes the connection between two chunks. */
  record Cut(int position) implements ScriptedFault {}

  /** Resets the connection between two chunks, as a machine that goes down does. */
  record Reset(int position) implements ScriptedFault {}

  /** Closes the connection inside the chunk, or the status line, that would come next. */
  record CutInside(int position) implements ScriptedFault {}

  /** Sends nonsense instead of the status line, or later instead of a frame or the document. */
  record Garbage(int position) implements ScriptedFault {}

  /** Sends this JSON as a frame, or as the document, and ends there. */
  record ErrorFrame(int position, String json) implements ScriptedFault {}

  /** Ends the answer regularly, but without a finish reason. */
  record Unfinished() implements ScriptedFault {}

  /** Sends this content type instead of the right one. */
  record ContentType(String type) implements ScriptedFault {}
}
