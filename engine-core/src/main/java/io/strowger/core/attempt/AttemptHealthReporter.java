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
 * outcomes that the endpoint caused are reported. The outcome of an attempt that the caller, the
 * engine or the total deadline of the request ended is not.
 *
 * <p>Events come from the thread that reads; the end may come from any thread.
 */
final class AttemptHealthReporter {
  private static final int BYTES_PER_TOKEN = 4;

  private final TrackedAttempt health;
  private final EndpointLimiter.Slot slot;
  private final Cancellation cancellation;
  private final ToolCallJudge toolCalls;
  private final Ambient ambient;
  private final long startNanos;
  private long firstContentNanos = -1; // on Ambient.nanoTime; -1 before the first content
  private long bytes;
  private @Nullable Usage usage;

  /**
   * @param health the attempt in the health of its endpoint; only its first reported end counts
   * @param slot the attempt's place, released at its end
   * @param cancellation the cancellation of the attempt
   */
  AttemptHealthReporter(
      TrackedAttempt health,
      EndpointLimiter.Slot slot,
      Cancellation cancellation,
      ToolCallJudge toolCalls,
      Ambient ambient) {
    this.health = health;
    this.slot = slot;
    this.ambient = ambient;
    this.startNanos = ambient.nanoTime();
    this.cancellation = cancellation;
    this.toolCalls = toolCalls;
  }

  /** Records the next event of the upstream. */
  void onEvent(Event event) {
    switch (event) {
      case Event.TextDelta text -> recordContent(event, text.text().utf8Bound());
      case Event.ReasoningDelta reasoning -> recordContent(event, reasoning.text().utf8Bound());
      case Event.ToolCallDelta call -> {
        toolCalls.add(call);
        recordContent(event, call.arguments().utf8Bound());
      }
      case Event.Annotation annotation -> recordContent(event, 0);
      case Event.AudioDelta audio -> recordContent(event, audio.size());
      case Event.RefusalDelta refusal -> recordContent(event, refusal.text().utf8Bound());
      case Event.ReasoningSignature signature -> recordContent(event, 0);
      case Event.EncryptedReasoning encrypted -> recordContent(event, encrypted.data().utf8Bound());
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
      case Event.OtherContent opaque -> recordContent(event, BYTES_PER_TOKEN);
      case Event.UsageReport report -> usage = report.usage();
      case Event.Finished finished -> recordEnd(finished.reason());
      case Event.CompleteAnswer completeAnswer -> recordCompleteAnswer(completeAnswer.answer());
      case Event.Failed failed -> {
        Failure cause = failed.cause();
        if (cause == null) {
          recordAbandonment(); // the upstream is not at fault
        } else {
          recordFailure(cause);
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

  /** Returns how many bytes of content were reported, in UTF-8. */
  long bytes() {
    return bytes;
  }

  private void recordContent(Event event, int utf8Bytes) {
    bytes += utf8Bytes;
    if (firstContentNanos < 0 && event.isContent()) {
      firstContentNanos = ambient.nanoTime();
      health.recordFirstContent(firstContentNanos - startNanos);
      slot.recordFirstContent(firstContentNanos - startNanos);
    }
  }

  /** Records a complete answer. It has no first content, so its whole time is measured. */
  private void recordCompleteAnswer(Answer answer) {
    toolCalls.add(answer);
    usage = answer.usage() == null ? usage : answer.usage();
    if (answer.stopReason() != StopReason.ERROR) {
      slot.recordWholeAnswer(ambient.nanoTime() - startNanos);
    }
    recordEnd(answer.stopReason());
  }

  private void recordEnd(StopReason reason) {
    if (reason == StopReason.ERROR) {
      recordFailure(Failure.of(FailureKind.UNAVAILABLE, "the answer ended in an error"));
    } else {
      boolean hasToolCalls = reason == StopReason.TOOL_CALLS;
      recordCompletion(hasToolCalls, hasToolCalls && toolCalls.hasBadCall());
    }
  }

  private void recordCompletion(boolean hasToolCalls, boolean hasBadToolCall) {
    long streamNanos = firstContentNanos < 0 ? 0 : ambient.nanoTime() - firstContentNanos;
    health.complete(outputTokens(), streamNanos, hasToolCalls, hasBadToolCall);
    slot.release();
  }

  /** Returns the tokens the upstream counted, or else an estimate. */
  private long outputTokens() {
    Usage reportedUsage = usage;
    return reportedUsage != null ? reportedUsage.completionTokens() : bytes / BYTES_PER_TOKEN;
  }

  /** Records that the attempt failed; the cancellation's cause decides whose fault it was. */
  void recordFailure(Failure failure) {
    Cancellation.Cause cause = cancellation.cause();
    boolean isEndpointFault =
        cause == null
            || cause == Cancellation.Cause.FIRST_CONTENT
            || cause == Cancellation.Cause.GAP;
    if (!isEndpointFault || failure.kind() == FailureKind.CANCELLED) {
      health.abandon();
    } else if (failure.equals(FailurePolicy.INCOMPLETE_ARGUMENTS)) {
      recordCompletion(true, true);
    } else {
      health.fail(failure);
      if (cause == Cancellation.Cause.FIRST_CONTENT) {
        slot.recordTimeout();
      } else {
        slot.recordFailure(failure.kind());
      }
    }
    slot.release();
  }

  /** Records that the attempt was abandoned, or that a bug of the gateway ended it. */
  void recordAbandonment() {
    health.abandon();
    slot.release();
  }
}
