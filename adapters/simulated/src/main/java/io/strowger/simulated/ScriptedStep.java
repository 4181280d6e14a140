package io.strowger.simulated;

import java.time.Duration;

/** One thing a simulated server does on its connection. */
sealed interface ScriptedStep {
  record Send(byte[] bytes) implements ScriptedStep {}

  record Pause(Duration time) implements ScriptedStep {}

  /** Sends the same bytes again and again until the client disconnects. */
  record Drip(byte[] bytes, Duration interval) implements ScriptedStep {}

  /** Sends nothing until the client disconnects. */
  record Stall() implements ScriptedStep {}

  /** Closes the connection. */
  record Cut() implements ScriptedStep {}

  /** Resets the connection, so that the client sees it broken. */
  record Reset() implements ScriptedStep {}
}
