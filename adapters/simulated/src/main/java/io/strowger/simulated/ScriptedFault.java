package io.strowger.simulated;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How a scripted answer goes wrong. A place {@code at} is {@link #BEFORE_HEAD}, {@link #AFTER_HEAD}
 * or a number of content chunks that come first; of an answer that is one document, half comes
 * first.
 */
public sealed interface ScriptedFault {
  int BEFORE_HEAD = -1;
  int AFTER_HEAD = 0;

  /** Nothing goes wrong. */
  record None() implements ScriptedFault {}

  /**
   * Answers with this status and body, whatever was asked. The body is JSON unless the headers have
   * another {@code Content-Type}.
   */
  record Refuse(int status, Map<String, String> headers, String body) implements ScriptedFault {
    public Refuse {
      headers = Map.copyOf(headers);
      Objects.requireNonNull(body, "body");
    }
  }

  /** Falls silent until the client goes. */
  record Stall(int at) implements ScriptedFault {}

  /**
   * Sends nothing but a comment, or what its dialect has for one, every so often until the client
   * goes. Not before the head.
   */
  record Drip(int at, Duration every) implements ScriptedFault {}

  /** Closes the connection between two chunks. */
  record Cut(int at) implements ScriptedFault {}

  /** Resets the connection between two chunks, as a machine that goes down does. */
  record Reset(int at) implements ScriptedFault {}

  /** Closes the connection inside the chunk, or the status line, that would come next. */
  record CutInside(int at) implements ScriptedFault {}

  /** Sends nonsense: for a status line before the head, for a frame or document later. */
  record Garbage(int at) implements ScriptedFault {}

  /** Sends this JSON as a frame, or as the document, and ends there. */
  record ErrorFrame(int at, String json) implements ScriptedFault {}

  /** Ends in good order, but without saying why the answer ended. */
  record Unfinished() implements ScriptedFault {}

  /** Claims another content type. */
  record ContentType(String type) implements ScriptedFault {}
}
