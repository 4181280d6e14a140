package io.strowger.core.dialect.messages;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings what upstreams may say in any order into an order in which blocks do not overlap. For one
 * thread.
 *
 * <p>Pieces of the call that is open go out at once. What belongs to another block while that call
 * is not complete waits, and goes out in the order it came once it is. Translation fact sheet,
 * section 5.
 */
final class BlockOrder {
  /** Most events that wait for a call to be complete; then it is taken to be as it is. */
  private static final int MAX_WAITING = 4_096;

  private final ContentBlocks blocks;
  private List<Event> waiting = new ArrayList<>(); // only while a call is open and not complete
  private boolean lastWaits;

  BlockOrder(ContentBlocks blocks) {
    this.blocks = blocks;
  }

  /** Takes what is in a block, or begins or stops one. */
  void add(Event event, JsonOutput out) {
    sort(event, out);
    if (waiting.size() > MAX_WAITING) {
      blocks.close(out);
    }
    while (!waiting.isEmpty() && !blocks.isInCall()) {
      again(out);
    }
  }

  /** Nothing more comes: what is open is as complete as it will be. */
  void end(JsonOutput out) {
    while (!waiting.isEmpty()) {
      blocks.close(out);
      again(out);
    }
    blocks.close(out);
  }

  /**
   * Nothing is open and waits at its beginning, or what is open is complete: the first goes out.
   */
  private void again(JsonOutput out) {
    List<Event> events = waiting;
    waiting = new ArrayList<>();
    lastWaits = false;
    events.forEach(event -> sort(event, out));
  }

  private void sort(Event event, JsonOutput out) {
    lastWaits = mustWait(event);
    if (lastWaits) {
      waiting.add(event);
    } else {
      place(event, out);
    }
  }

  private boolean mustWait(Event event) {
    if (event instanceof Event.ToolCallDelta piece && blocks.isOpen(piece)) {
      return false;
    }
    if (event instanceof Event.BlockStop) {
      return lastWaits; // it stops what was said last
    }
    return blocks.isInCall() || !waiting.isEmpty();
  }

  private void place(Event event, JsonOutput out) {
    switch (event) {
      case Event.TextDelta e -> blocks.text(e, out);
      case Event.ReasoningDelta e -> blocks.reasoning(e, out);
      case Event.ReasoningSignature e -> blocks.signature(e, out);
      case Event.EncryptedReasoning e -> blocks.encrypted(e, out);
      case Event.ToolCallDelta e -> blocks.call(e, out);
      case Event.Annotation e -> blocks.citation(e, out);
      case Event.BlockStart e -> blocks.start(e, out);
      case Event.BlockStop e -> blocks.stop(e, out);
      case Event.UnmodelledContent e -> blocks.opaque(e.frame(), out);
      case Event.Started e -> {}
      case Event.RefusalDelta e -> {} // told when the answer ends
      case Event.Logprobs e -> {} // this format has no place for these
      case Event.ServerToolRun e -> blocks.whole(ReasoningProof.hidden(e.run()), out);
      case Event.UpstreamBodyEcho e -> {}
      case Event.AudioDelta e -> {}
      case Event.UsageReport e -> {}
      case Event.Finished e -> {}
      case Event.CompleteAnswer e -> {}
      case Event.Failed e -> {}
    }
  }
}
