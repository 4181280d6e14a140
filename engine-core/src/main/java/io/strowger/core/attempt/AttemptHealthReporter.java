package io.strowger.core.attempt;

import io.strowger.core.health.TrackedAttempt;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * Tells health what becomes of one attempt, and gives its place at the endpoint back. Only what the
 * endpoint did is told: an attempt the caller, the engine or the request's own deadline ended says
 * nothing about the endpoint.
 *
 * <p>Events come from the thread that reads; the end may come from any.
 */
final class AttemptHealthReporter {
  private static final int BYTES_PER_TOKEN = 4;

  private final TrackedAttempt health;
  private final EndpointLimiter.Slot slot;
  private final Cancellation cancellation;
  private final ToolCallJudge calls;
  private final Ambient ambient;
  private final long began;
  private long content = -1; // when it came; -1 before
  private long bytes;
  private @Nullable Usage usage;

  /**
   * @param health takes the first end it is told, and no other
   * @param slot the attempt's place, released at its end
   * @param cancellation of the attempt
   */
  AttemptHealthReporter(
      TrackedAttempt health,
      EndpointLimiter.Slot slot,
      Cancellation cancellation,
      ToolCallJudge calls,
      Ambient ambient) {
    this.health = health;
    this.slot = slot;
    this.ambient = ambient;
    this.began = ambient.nanoTime();
    this.cancellation = cancellation;
    this.calls = calls;
  }

  /** An event of the upstream, in order. */
  void passed(Event event) {
    switch (event) {
      case Event.TextDelta text -> content(event, text.text().utf8Bound());
      case Event.ReasoningDelta reasoning -> content(event, reasoning.text().utf8Bound());
      case Event.ToolCallDelta call -> {
        calls.add(call);
        content(event, call.arguments().utf8Bound());
      }
      case Event.Annotation annotation -> content(event, 0);
      case Event.AudioDelta sound -> content(event, sound.size());
      case Event.RefusalDelta refusal -> content(event, refusal.text().utf8Bound());
      case Event.ReasoningSignature signature -> content(event, 0);
      case Event.EncryptedReasoning encrypted -> content(event, encrypted.data().utf8Bound());
      case Event.ServerToolRun run -> {
        // is our own
      }
      case Event.Logprobs logprobs -> {
        // is of the text before it
      }
      case Event.BlockStart start -> {
        // says nothing yet
      }
      case Event.BlockStop stop -> {
        // says nothing more
      }
      case Event.UnmodelledContent opaque -> content(event, BYTES_PER_TOKEN);
      case Event.UsageReport report -> usage = report.usage();
      case Event.Finished finished -> finished(finished.reason());
      case Event.CompleteAnswer whole -> whole(whole.answer());
      case Event.Failed failed -> {
        Failure cause = failed.cause();
        if (cause == null) {
          abandoned(); // the upstream is not at fault
        } else {
          failed(cause);
        }
      }
      case Event.Started started -> {
        // says nothing yet
      }
      case Event.UpstreamBodyEcho debug -> {
        // is our own
      }
    }
  }

  private void content(Event event, int utf8) {
    bytes += utf8;
    if (content < 0 && event.isContent()) {
      content = ambient.nanoTime();
      health.firstContent(content - began);
      slot.firstContent(content - began);
    }
  }

  /** An answer that came whole has no first content: its time is that of all of it. */
  private void whole(Answer answer) {
    calls.add(answer);
    usage = answer.usage() == null ? usage : answer.usage();
    if (answer.stopReason() != StopReason.ERROR) {
      slot.wholeAnswer(ambient.nanoTime() - began);
    }
    finished(answer.stopReason());
  }

  private void finished(StopReason reason) {
    if (reason == StopReason.ERROR) {
      failed(Failure.of(FailureKind.UNAVAILABLE, "the answer ended in an error"));
    } else {
      boolean called = reason == StopReason.TOOL_CALLS;
      completed(called, called && calls.findsBad());
    }
  }

  private void completed(boolean called, boolean bad) {
    long streamed = content < 0 ? 0 : ambient.nanoTime() - content;
    health.completed(outputTokens(), streamed, called, bad);
    slot.release();
  }

  /** As the upstream counted them, else estimated. */
  private long outputTokens() {
    Usage counted = usage;
    return counted != null ? counted.completionTokens() : bytes / BYTES_PER_TOKEN;
  }

  /** The attempt failed; whose fault it was is looked up here. */
  void failed(Failure failure) {
    Cancellation.Cause cause = cancellation.cause();
    boolean itsOwn =
        cause == null
            || cause == Cancellation.Cause.FIRST_CONTENT
            || cause == Cancellation.Cause.GAP;
    if (!itsOwn || failure.kind() == FailureKind.CANCELLED) {
      health.abandoned();
    } else if (failure.equals(FailurePolicy.CUT_ARGUMENTS)) {
      completed(true, true);
    } else {
      health.failed(failure);
      if (cause == Cancellation.Cause.FIRST_CONTENT) {
        slot.timedOut();
      } else {
        slot.failed(failure.kind());
      }
    }
    slot.release();
  }

  /** Nobody waits for the attempt any more, or a bug of ours ended it. */
  void abandoned() {
    health.abandoned();
    slot.release();
  }
}
