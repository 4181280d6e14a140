package io.strowger.core.dialect.messages;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * Orders the events of an upstream, which may interleave, so that blocks do not overlap. For one
 * thread.
 *
 * <p>Fragments of the open call are written at once. Events of other blocks wait until that call is
 * complete, and are then written in the order in which they came. Translation fact sheet, section
 * 5.
 */
final class BlockOrder {
  /**
   * The maximum number of events that wait for a call to complete; with more, the call is closed.
   */
  private static final int MAX_WAITING = 4_096;

  private final ContentBlocks blocks;
  private List<Event> waiting = new ArrayList<>(); // only while a call is open and not complete
  private boolean lastIsWaiting;

  BlockOrder(ContentBlocks blocks) {
    this.blocks = blocks;
  }

  /** Handles an event that begins, continues or stops a block. */
  void add(Event event, JsonOutput out) {
    writeOrHold(event, out);
    if (waiting.size() > MAX_WAITING) {
      blocks.close(out);
    }
    while (!waiting.isEmpty() && !blocks.isInCall()) {
      retryWaiting(out);
    }
  }

  /** Ends the blocks: writes the waiting events and closes what is open. */
  void end(JsonOutput out) {
    while (!waiting.isEmpty()) {
      blocks.close(out);
      retryWaiting(out);
    }
    blocks.close(out);
  }

  /**
   * Writes the waiting events or holds them back again. No incomplete call is open, so at least the
   * first is written.
   */
  private void retryWaiting(JsonOutput out) {
    List<Event> events = waiting;
    waiting = new ArrayList<>();
    lastIsWaiting = false;
    events.forEach(event -> writeOrHold(event, out));
  }

  private void writeOrHold(Event event, JsonOutput out) {
    lastIsWaiting = mustWait(event);
    if (lastIsWaiting) {
      waiting.add(event);
    } else {
      write(event, out);
    }
  }

  private boolean mustWait(Event event) {
    if (event instanceof Event.ToolCallDelta delta && blocks.isOpen(delta)) {
      return false;
    }
    if (event instanceof Event.BlockStop) {
      return lastIsWaiting; // it stops the block of the event before it
    }
    return blocks.isInCall() || !waiting.isEmpty();
  }

  private void write(Event event, JsonOutput out) {
    switch (event) {
      case Event.TextDelta e -> blocks.writeText(e, out);
      case Event.ReasoningDelta e -> blocks.writeReasoning(e, out);
      case Event.ReasoningSignature e -> blocks.writeSignature(e, out);
      case Event.EncryptedReasoning e -> blocks.writeEncrypted(e, out);
      case Event.ToolCallDelta e -> blocks.writeCall(e, out);
      case Event.Annotation e -> blocks.writeCitation(e, out);
      case Event.BlockStart e -> blocks.start(e, out);
      case Event.BlockStop e -> blocks.stop(e, out);
      case Event.OtherContent e -> blocks.writeOtherContent(e.frame(), out);
      case Event.Started e -> {}
      case Event.RefusalDelta e -> {} // written when the answer ends
      case Event.Logprobs e -> {} // this format has no place for these
      case Event.ServerToolRun e -> blocks.writeWhole(MarkedReasoning.redactedBlock(e.run()), out);
      case Event.UpstreamBodyEcho e -> {}
      case Event.AudioDelta e -> {}
      case Event.UsageReport e -> {}
      case Event.Finished e -> {}
      case Event.CompleteAnswer e -> {}
      case Event.Failed e -> {}
    }
  }
}
