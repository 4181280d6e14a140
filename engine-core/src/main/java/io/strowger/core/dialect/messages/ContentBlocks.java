package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.messages.MessagesFrames.DeltaType;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the blocks of one answer, one at a time, numbered from 0 without a gap, and stops each.
 * For one thread.
 *
 * <p>Events that came in this dialect keep the upstream's bytes except for the index. A block that
 * the upstream does not start explicitly begins with its first content. {@link BlockOrder} holds
 * back events that may not be written yet.
 */
final class ContentBlocks {
  private static final Json.Str NO_INPUT = Json.of("{}");

  private final MessagesFrames frames;
  private final String answerId;
  private final BooleanSupplier mayCite;
  private final Set<Integer> calls = new HashSet<>(); // the indexes of calls that have begun
  private Kind openKind = Kind.NONE;
  private int index;
  private boolean hasSignature;
  private Event.@Nullable ReasoningDelta lastReasoning; // the last fragment of the open reasoning
  private int callIndex;
  private ArgumentsTracker arguments = new ArgumentsTracker();
  private boolean inputWritten; // whether input of the open call was written
  private Json.@Nullable Obj pendingCallStart; // the upstream's frame that begins the next call

  /** The kind of the open block. */
  private enum Kind {
    NONE,
    TEXT,
    THINKING,
    CALL,
    /** A block that came whole, or one without an event type of its own. */
    OTHER
  }

  /**
   * @param answerId the prefix of ids for calls without one
   * @param mayCite tells whether the gateway may add citations
   */
  ContentBlocks(MessagesFrames frames, String answerId, BooleanSupplier mayCite) {
    this.frames = frames;
    this.answerId = answerId;
    this.mayCite = mayCite;
  }

  /** Returns whether the open block is a call with incomplete arguments, which must not be cut. */
  boolean isInCall() {
    return openKind == Kind.CALL && !arguments.isComplete();
  }

  /** Returns whether a fragment belongs to the open call. */
  boolean isOpen(Event.ToolCallDelta fragment) {
    return openKind == Kind.CALL && callIndex == fragment.index();
  }

  void writeText(Event.TextDelta event, JsonOutput out) {
    if (event.text().isEmpty() && !MessagesFrames.isOwnDialect(event.template())) {
      return; // a text block must not be empty
    }
    if (openKind != Kind.TEXT) {
      begin(Kind.TEXT, ContentBlock.emptyText(), out);
    }
    frames.writeText(index, DeltaType.TEXT, event.text(), event.template(), out);
  }

  void writeReasoning(Event.ReasoningDelta event, JsonOutput out) {
    if (event.text().isEmpty() && !MessagesFrames.isOwnDialect(event.template())) {
      return;
    }
    if (openKind != Kind.THINKING || hasSignature || !continuesReasoning(event)) {
      begin(Kind.THINKING, ContentBlock.emptyThinking(), out);
    }
    lastReasoning = event;
    frames.writeText(index, DeltaType.THINKING, event.text(), event.template(), out);
  }

  /** Returns whether a fragment continues the open reasoning, or is the first in its block. */
  private boolean continuesReasoning(Event.ReasoningDelta event) {
    return lastReasoning == null
        || lastReasoning.summary() == event.summary()
            && Objects.equals(lastReasoning.format(), event.format())
            && Objects.equals(lastReasoning.id(), event.id());
  }

  /** Writes a signature, which must be kept even when its reasoning has no text. */
  void writeSignature(Event.ReasoningSignature event, JsonOutput out) {
    if (openKind != Kind.THINKING || hasSignature) {
      begin(Kind.THINKING, ContentBlock.emptyThinking(), out);
    }
    hasSignature = true;
    String id = lastReasoning == null ? null : lastReasoning.id();
    Json.Obj frame = MessagesFrames.ownFrame(event.frame());
    if (frame == null) {
      Json.Str signature = MarkedReasoning.mark(event.signature(), event.format(), id);
      frames.writeDelta(index, "signature_delta", "signature", signature, out);
    } else {
      frames.writeBlockEvent(index, "content_block_delta", frame, out);
    }
  }

  void writeEncrypted(Event.EncryptedReasoning event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.ownFrame(event.frame());
    if (frame == null) {
      Json.Str data = MarkedReasoning.mark(event.data(), event.format(), event.id());
      begin(Kind.OTHER, ContentBlock.redacted(data), out);
    } else {
      begin(Kind.OTHER, frame, out);
    }
  }

  void writeCitation(Event.Annotation event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.ownFrame(event.frame());
    Json.Obj citation = ContentBlock.citation(event.body());
    if (frame == null && citation == null) {
      return;
    }
    if (openKind != Kind.TEXT) {
      begin(Kind.TEXT, ContentBlock.emptyText(), out);
    }
    if (frame != null) {
      frames.writeBlockEvent(index, "content_block_delta", frame, out);
    } else if (citation != null) {
      frames.writeDelta(index, "citations_delta", "citation", citation, out);
    }
  }

  /** Writes a fragment of a call, or ignores it when the call is already closed. */
  void writeCall(Event.ToolCallDelta event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.ownFrame(event.frame());
    boolean isStart = frame != null && "content_block_start".equals(frame.text("type"));
    if (calls.add(event.index())) {
      beginCall(event, isStart ? frame : pendingCallStart, out);
    } else if (!isOpen(event)) {
      return;
    }
    String fragment = event.arguments().text();
    boolean isFirst = !arguments.hasBegun();
    arguments.add(fragment);
    if (frame != null && !isStart) {
      frames.writeBlockEvent(index, "content_block_delta", frame, out);
      inputWritten = true;
    } else if (arguments.hasBegun() && !(isFirst && fragment.strip().equals("null"))) {
      frames.writeText(index, DeltaType.INPUT, event.arguments(), null, out);
      inputWritten = true;
    }
  }

  private void beginCall(Event.ToolCallDelta event, Json.@Nullable Obj frame, JsonOutput out) {
    if (frame == null) {
      String id = event.id() == null ? answerId + "_" + event.index() : event.id();
      String name = event.name() == null ? "" : event.name();
      begin(Kind.CALL, ContentBlock.toolUse(id, name, Json.Obj.EMPTY), out);
    } else {
      begin(Kind.CALL, frame, out);
    }
    callIndex = event.index();
    arguments = new ArgumentsTracker();
    inputWritten = false;
  }

  /**
   * Begins a block with the upstream's frame. Without a frame in this dialect, the first content
   * begins the block.
   */
  void start(Event.BlockStart event, JsonOutput out) {
    close(out);
    Json.Obj frame = MessagesFrames.ownFrame(event.frame());
    if (frame == null) {
      return;
    }
    switch (event.kind()) {
      case TEXT -> begin(Kind.TEXT, frame, out);
      case REASONING -> begin(Kind.THINKING, frame, out);
      case REFUSAL -> begin(Kind.OTHER, frame, out);
      case TOOL_CALL -> pendingCallStart = frame;
    }
  }

  /**
   * Stops the open block. Upstreams of other dialects send more stops than blocks. Therefore such a
   * stop does not end a call whose arguments have begun but are incomplete.
   */
  void stop(Event.BlockStop event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.ownFrame(event.frame());
    if (frame != null && openKind != Kind.NONE) {
      writeMissingInput(out);
      frames.writeBlockEvent(index, "content_block_stop", frame, out);
      advance();
    } else if (!isInCall() || !arguments.hasBegun()) {
      close(out);
    }
  }

  /** Writes a frame in this dialect that has no event type of its own. */
  void writeOtherContent(Json.Obj frame, JsonOutput out) {
    String type = frame.text("type");
    if ("content_block_start".equals(type)) {
      begin(Kind.OTHER, frame, out);
    } else if ("content_block_stop".equals(type)) {
      stop(new Event.BlockStop(frame), out);
    } else if ("content_block_delta".equals(type) && openKind != Kind.NONE) {
      frames.writeBlockEvent(index, "content_block_delta", frame, out);
    } else if ("ping".equals(type)) {
      frames.writeEvent("ping", frame, out);
    }
  }

  /** Writes a whole block: its start, its deltas and its stop. */
  void writeWhole(Json.Obj block, JsonOutput out) {
    begin(Kind.OTHER, WholeBlockWriter.startOf(block), out);
    WholeBlockWriter.writeDeltas(block, index, frames, out);
    close(out);
  }

  /**
   * Closes the open block and begins another.
   *
   * @param block the block, or the upstream's frame that begins it
   */
  private void begin(Kind kind, Json.Obj block, JsonOutput out) {
    close(out);
    pendingCallStart = null;
    openKind = kind;
    hasSignature = false;
    lastReasoning = null;
    Json.Obj inner = block.object("content_block");
    if (inner == null) {
      frames.writeStart(index, withCitations(kind, block), out);
    } else {
      Json.Obj completed = withCitations(kind, ContentBlock.withContractMembers(inner));
      Json.Obj frame = completed == inner ? block : block.with("content_block", completed);
      frames.writeBlockEvent(index, "content_block_start", frame, out);
    }
  }

  /**
   * Returns the block with an empty list of citations if some may follow: some client libraries
   * need a list to append them to.
   */
  private Json.Obj withCitations(Kind kind, Json.Obj block) {
    return kind == Kind.TEXT
            && block.get("citations") instanceof Json.Null
            && mayCite.getAsBoolean()
        ? block.with("citations", Json.array())
        : block;
  }

  /** Stops the open block, if any. */
  void close(JsonOutput out) {
    if (openKind != Kind.NONE) {
      writeMissingInput(out);
      frames.writeStop(index, out);
      advance();
    }
  }

  /**
   * Writes an empty input for a call without input: clients read the input from deltas, and some
   * require one.
   */
  private void writeMissingInput(JsonOutput out) {
    if (openKind == Kind.CALL && !inputWritten) {
      frames.writeText(index, DeltaType.INPUT, NO_INPUT, null, out);
    }
  }

  private void advance() {
    openKind = Kind.NONE;
    index++;
  }

  /**
   * Tracks the arguments of a call as they come. They are complete once all brackets of an object
   * or array are closed. Confined to one thread.
   */
  private static final class ArgumentsTracker {
    private int depth;
    private boolean isInString;
    private boolean isEscaped;
    private boolean hasBegun;
    private boolean isComplete;

    void add(String piece) {
      for (int i = 0; i < piece.length(); i++) {
        add(piece.charAt(i));
      }
    }

    private void add(char c) {
      if (isInString) {
        isInString = isEscaped || c != '"';
        isEscaped = !isEscaped && c == '\\';
        return;
      }
      switch (c) {
        case '"' -> isInString = true;
        case '{', '[' -> depth++;
        case '}', ']' -> isComplete |= --depth <= 0;
        default -> {
          // a number, a comma, white space: neither opens nor closes
        }
      }
      hasBegun |= !Character.isWhitespace(c);
    }

    /** Returns whether anything other than white space was added. */
    boolean hasBegun() {
      return hasBegun;
    }

    boolean isComplete() {
      return isComplete;
    }
  }
}
