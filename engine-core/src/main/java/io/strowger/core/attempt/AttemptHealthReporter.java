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
 * Reports the outcome of one attempt to the endpoint's health and releases its place there. Only
 * outcomes that the endpoint caused are reported, not those of attempts that the caller, the engine
 * or the total deadline of the request ended.
 *
 * <p>Events come from the thread that reads; the end may come from any thread.
 */
final class AttemptHealthReporter {
  private static final int BYTES_PER_TOKEN = 4;

  private final TrackedAttempt health;
  private final EndpointLimiter.Slot slot;
  private final Cancellation cancellation;
  private final ToolCallJudge calls;
  private final Ambient ambient;
  private final long began;
  private long content = -1; // on Ambient.nanoTime; -1 before the first content
  private long bytes;
  private @Nullable Usage usage;

  /**
   * @param health the endpoint's health; only the first end reported to it counts
   * @param slot the attempt's place, released at its end
   * @param cancellation the cancellation of the attempt
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

  /** Records the next event of the upstream. */
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
        // is produced by the gateway
      }
      case Event.Logprobs logprobs -> {
        // belongs to the text before it
      }
      case Event.BlockStart start -> {
        // has no content
      }
      case Event.BlockStop stop -> {
        // has no content
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
        // has no content
      }
      case Event.UpstreamBodyEcho debug -> {
        // is produced by the gateway
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

  /** Records a complete answer. It has no first content, so its whole time is measured. */
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

  /** Returns the tokens the upstream counted, or else an estimate. */
  private long outputTokens() {
    Usage counted = usage;
    return counted != null ? counted.completionTokens() : bytes / BYTES_PER_TOKEN;
  }

  /** Records that the attempt failed; the cancellation's cause decides whose fault it was. */
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

  /** Records that the attempt was abandoned, or that a bug of the gateway ended it. */
  void abandoned() {
    health.abandoned();
    slot.release();
  }
}
