package io.strowger.simulated;

import java.time.Duration;

/** One thing a simulated server does on its connection. */
sealed interface ScriptedStep {
  record Send(byte[] bytes) implements ScriptedStep {}

  record Pause(Duration time) implements ScriptedStep {}

  /** Sends the same bytes again and again until the client goes. */
  record Drip(byte[] bytes, Duration every) implements ScriptedStep {}

  /** Says nothing until the client goes. */
  record Stall() implements ScriptedStep {}

  /** Closes the connection. */
  record Cut() implements ScriptedStep {}

  /** Closes the connection so that the client is told it broke. */
  record Reset() implements ScriptedStep {}
}
