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
 * <p>Events of the same format keep the upstream's bytes except for the index. A block that the
 * upstream does not start explicitly begins with its first content. {@link BlockOrder} holds back
 * events that may not be written yet.
 */
final class ContentBlocks {
  private static final Json.Str NO_INPUT = Json.of("{}");

  private final MessagesFrames frames;
  private final String answerId;
  private final BooleanSupplier cites;
  private final Set<Integer> calls = new HashSet<>();
  private Kind open = Kind.NONE;
  private int index;
  private boolean signed;
  private Event.@Nullable ReasoningDelta thought; // the last fragment of the open reasoning
  private int call;
  private CallText arguments = new CallText();
  private boolean input; // whether input of the open call was written
  private Json.@Nullable Obj announced; // the upstream's frame that begins the next call

  /** The kind of the open block. */
  private enum Kind {
    NONE,
    TEXT,
    THINKING,
    CALL,
    /** A block that came whole, or of a kind this engine does not model. */
    OTHER
  }

  /**
   * @param answerId the prefix of ids for calls without one
   * @param cites tells whether the gateway may add citations
   */
  ContentBlocks(MessagesFrames frames, String answerId, BooleanSupplier cites) {
    this.frames = frames;
    this.answerId = answerId;
    this.cites = cites;
  }

  /** Returns whether the open block is a call with incomplete arguments, which must not be cut. */
  boolean isInCall() {
    return open == Kind.CALL && !arguments.isComplete();
  }

  /** Returns whether a fragment belongs to the open call. */
  boolean isOpen(Event.ToolCallDelta piece) {
    return open == Kind.CALL && call == piece.index();
  }

  void text(Event.TextDelta event, JsonOutput out) {
    if (event.text().isEmpty() && !MessagesFrames.isOwn(event.template())) {
      return; // a text block must not be empty
    }
    if (open != Kind.TEXT) {
      begin(Kind.TEXT, ContentBlock.emptyText(), out);
    }
    frames.text(index, DeltaType.TEXT, event.text(), event.template(), out);
  }

  void reasoning(Event.ReasoningDelta event, JsonOutput out) {
    if (event.text().isEmpty() && !MessagesFrames.isOwn(event.template())) {
      return;
    }
    if (open != Kind.THINKING || signed || !goesOn(event)) {
      begin(Kind.THINKING, ContentBlock.emptyThinking(), out);
    }
    thought = event;
    frames.text(index, DeltaType.THINKING, event.text(), event.template(), out);
  }

  /** Returns whether a fragment continues the open reasoning, or is the first in its block. */
  private boolean goesOn(Event.ReasoningDelta event) {
    return thought == null
        || thought.summary() == event.summary()
            && Objects.equals(thought.format(), event.format())
            && Objects.equals(thought.id(), event.id());
  }

  /** Writes a signature, which must be kept even when its reasoning has no text. */
  void signature(Event.ReasoningSignature event, JsonOutput out) {
    if (open != Kind.THINKING || signed) {
      begin(Kind.THINKING, ContentBlock.emptyThinking(), out);
    }
    signed = true;
    String id = thought == null ? null : thought.id();
    Json.Obj frame = MessagesFrames.own(event.frame());
    if (frame == null) {
      Json.Str signature = MarkedReasoning.marked(event.signature(), event.format(), id);
      frames.delta(index, "signature_delta", "signature", signature, out);
    } else {
      frames.blockEvent(index, "content_block_delta", frame, out);
    }
  }

  void encrypted(Event.EncryptedReasoning event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.own(event.frame());
    if (frame == null) {
      Json.Str data = MarkedReasoning.marked(event.data(), event.format(), event.id());
      begin(Kind.OTHER, ContentBlock.redacted(data), out);
    } else {
      begin(Kind.OTHER, frame, out);
    }
  }

  void citation(Event.Annotation event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.own(event.frame());
    Json.Obj citation = ContentBlock.citation(event.body());
    if (frame == null && citation == null) {
      return;
    }
    if (open != Kind.TEXT) {
      begin(Kind.TEXT, ContentBlock.emptyText(), out);
    }
    if (frame != null) {
      frames.blockEvent(index, "content_block_delta", frame, out);
    } else if (citation != null) {
      frames.delta(index, "citations_delta", "citation", citation, out);
    }
  }

  /** Writes a fragment of a call, or ignores it when the call is already closed. */
  void call(Event.ToolCallDelta event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.own(event.frame());
    boolean begins = frame != null && "content_block_start".equals(frame.text("type"));
    if (calls.add(event.index())) {
      beginCall(event, begins ? frame : announced, out);
    } else if (!isOpen(event)) {
      return;
    }
    String piece = event.arguments().text();
    boolean nothingYet = !arguments.begun();
    arguments.add(piece);
    if (frame != null && !begins) {
      frames.blockEvent(index, "content_block_delta", frame, out);
      input = true;
    } else if (arguments.begun() && !(nothingYet && piece.strip().equals("null"))) {
      frames.text(index, DeltaType.INPUT, event.arguments(), null, out);
      input = true;
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
    call = event.index();
    arguments = new CallText();
    input = false;
  }

  /**
   * Begins a block with the upstream's frame. Without a frame in this format, the first content
   * begins the block.
   */
  void start(Event.BlockStart event, JsonOutput out) {
    close(out);
    Json.Obj frame = MessagesFrames.own(event.frame());
    if (frame == null) {
      return;
    }
    switch (event.kind()) {
      case TEXT -> begin(Kind.TEXT, frame, out);
      case REASONING -> begin(Kind.THINKING, frame, out);
      case REFUSAL -> begin(Kind.OTHER, frame, out);
      case TOOL_CALL -> announced = frame;
    }
  }

  /**
   * Stops the open block. Other dialects send more stops than blocks, so a stop of theirs does not
   * end a call whose arguments have begun but are incomplete.
   */
  void stop(Event.BlockStop event, JsonOutput out) {
    Json.Obj frame = MessagesFrames.own(event.frame());
    if (frame != null && open != Kind.NONE) {
      fill(out);
      frames.blockEvent(index, "content_block_stop", frame, out);
      closed();
    } else if (!isInCall() || !arguments.begun()) {
      close(out);
    }
  }

  /** Writes a frame of this format that the engine does not model. */
  void opaque(Json.Obj frame, JsonOutput out) {
    String type = frame.text("type");
    if ("content_block_start".equals(type)) {
      begin(Kind.OTHER, frame, out);
    } else if ("content_block_stop".equals(type)) {
      stop(new Event.BlockStop(frame), out);
    } else if ("content_block_delta".equals(type) && open != Kind.NONE) {
      frames.blockEvent(index, "content_block_delta", frame, out);
    } else if ("ping".equals(type)) {
      frames.event("ping", frame, out);
    }
  }

  /** Writes a whole block: its start, its deltas and its stop. */
  void whole(Json.Obj block, JsonOutput out) {
    begin(Kind.OTHER, WholeBlock.start(block), out);
    WholeBlock.deltas(block, index, frames, out);
    close(out);
  }

  /**
   * Closes the open block and begins another.
   *
   * @param block the block, or the upstream's frame that begins it
   */
  private void begin(Kind kind, Json.Obj block, JsonOutput out) {
    close(out);
    announced = null;
    open = kind;
    signed = false;
    thought = null;
    Json.Obj given = block.object("content_block");
    if (given == null) {
      frames.start(index, citable(kind, block), out);
    } else {
      Json.Obj complete = citable(kind, ContentBlock.complete(given));
      Json.Obj frame = complete == given ? block : block.with("content_block", complete);
      frames.blockEvent(index, "content_block_start", frame, out);
    }
  }

  /**
   * Returns the block with an empty list of citations if some may follow: some client libraries
   * need a list to append them to.
   */
  private Json.Obj citable(Kind kind, Json.Obj block) {
    return kind == Kind.TEXT && block.get("citations") instanceof Json.Null && cites.getAsBoolean()
        ? block.with("citations", Json.array())
        : block;
  }

  /** Stops the open block, if any. */
  void close(JsonOutput out) {
    if (open != Kind.NONE) {
      fill(out);
      frames.stop(index, out);
      closed();
    }
  }

  /**
   * Writes an empty input for a call without input: clients read the input from deltas, and some
   * require one.
   */
  private void fill(JsonOutput out) {
    if (open == Kind.CALL && !input) {
      frames.text(index, DeltaType.INPUT, NO_INPUT, null, out);
    }
  }

  private void closed() {
    open = Kind.NONE;
    index++;
  }

  /**
   * Tracks the arguments of a call as they come. They are complete once all brackets of an object
   * or array are closed. Confined to one thread.
   */
  private static final class CallText {
    private int depth;
    private boolean inString;
    private boolean escaped;
    private boolean begun;
    private boolean complete;

    void add(String piece) {
      for (int i = 0; i < piece.length(); i++) {
        add(piece.charAt(i));
      }
    }

    private void add(char c) {
      if (inString) {
        inString = escaped || c != '"';
        escaped = !escaped && c == '\\';
        return;
      }
      switch (c) {
        case '"' -> inString = true;
        case '{', '[' -> depth++;
        case '}', ']' -> complete |= --depth <= 0;
        default -> {
          // a number, a comma, white space: neither opens nor closes
        }
      }
      begun |= !Character.isWhitespace(c);
    }

    /** Returns whether anything other than white space was added. */
    boolean begun() {
      return begun;
    }

    boolean isComplete() {
      return complete;
    }
  }
}
