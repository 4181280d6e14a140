package io.strowger.tck;

import io.strowger.spi.error.Failure;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import java.time.Duration;

/** One step of a scripted stream. Import the factories statically. */
public sealed interface Step {
  /** Delivers an event. */
  record Emit(Event event) implements Step {}

  /** Delivers nothing until this much time of the ambient has passed. */
  record Pause(Duration time) implements Step {}

  /** Delivers nothing until the call is cancelled or the stream is closed. */
  record Stall() implements Step {}

  static Step emit(Event event) {
    return new Emit(event);
  }

  static Step started() {
    return new Emit(new Event.Started(null));
  }

  static Step text(String text) {
    return new Emit(new Event.TextDelta(text));
  }

  static Step usage(long promptTokens, long completionTokens) {
    return new Emit(new Event.UsageReport(Given.usage(promptTokens, completionTokens), null));
  }

  static Step finished() {
    return finished(StopReason.END);
  }

  static Step finished(StopReason reason) {
    return new Emit(new Event.Finished(reason, null, null));
  }

  static Step failed(Failure failure) {
    return new Emit(Event.Failed.upstream(failure));
  }

  static Step pause(Duration time) {
    return new Pause(time);
  }

  static Step stall() {
    return new Stall();
  }
}
