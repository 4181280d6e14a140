package io.strowger.providers.simulated;

import java.time.Duration;

/** One thing a simulated server does on its connection. */
sealed interface Step {
  record Send(byte[] bytes) implements Step {}

  record Pause(Duration time) implements Step {}

  /** Sends the same bytes again and again until the client goes. */
  record Drip(byte[] bytes, Duration every) implements Step {}

  /** Says nothing until the client goes. */
  record Stall() implements Step {}

  /** Closes the connection. */
  record Cut() implements Step {}

  /** Closes the connection so that the client is told it broke. */
  record Reset() implements Step {}
}
