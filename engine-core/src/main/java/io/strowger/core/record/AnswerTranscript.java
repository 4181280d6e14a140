package io.strowger.core.record;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records an answer without its bill: the id that the upstream gave it, the upstream's reason why
 * it ended and, where content is kept, its content. The thread that reads the answer writes the
 * transcript; it is read after the answer has ended.
 */
public final class AnswerTranscript {
  /** The most characters of text, and of reasoning, that are kept: more than any model writes. */
  static final int MAX_CHARS = 4 << 20;

  /** The most tool calls that are kept, each with its share of {@link #MAX_CHARS}. */
  static final int MAX_CALLS = 64;

  /** The most different URLs that are counted as cited pages. */
  static final int MAX_CITED_PAGES = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable TextBuffer text; // guarded by the lock; null: not kept
  private final @Nullable TextBuffer reasoning;
  private final @Nullable Map<Integer, PartialCall> calls; // by index, guarded by the lock
  private boolean isSealed; // no more content is recorded; guarded by the lock
  private @Nullable Set<String> citedUrls; // URLs, guarded by the lock; null when there are none
  private volatile @Nullable String upstreamId;
  private volatile @Nullable String nativeReason;

  /**
   * A call of a tool that the answer asks for.
   *
   * @param arguments as the model wrote them
   */
  record RecordedToolCall(String id, String name, String arguments) {}

  /** Text as it arrives. A single piece, as in a complete answer, is neither decoded nor copied. */
  private static final class TextBuffer {
    private Json.@Nullable Str singlePiece; // null when there is none, or several
    private @Nullable StringBuilder joined;

    private void add(Json.Str piece) {
      if (piece.isEmpty()) {
        return;
      }
      Json.Str previous = singlePiece;
      if (joined == null && previous == null && piece.utf8Bound() <= MAX_CHARS) {
        singlePiece = piece;
        return;
      }
      StringBuilder buffer = joined;
      if (buffer == null) {
        buffer = new StringBuilder(previous == null ? "" : previous.text());
        joined = buffer;
        singlePiece = null;
      }
      String pieceText = piece.text();
      buffer.append(pieceText, 0, Math.min(pieceText.length(), MAX_CHARS - buffer.length()));
    }

    /** Releases everything but the text, and returns its approximate size in bytes. */
    private long release() {
      if (singlePiece != null) {
        singlePiece = singlePiece.detached();
      }
      return joined == null
          ? singlePiece == null ? 0 : singlePiece.utf8Bound()
          : 2L * joined.length();
    }

    private Json.Str toJson() {
      if (joined != null) {
        return Json.of(joined.toString());
      }
      return singlePiece == null ? EMPTY_TEXT : singlePiece.detached();
    }
  }

  private static final Json.Str EMPTY_TEXT = Json.of("");

  /** A tool call whose arguments may still arrive. */
  private static final class PartialCall {
    private String id = "";
    private String name = "";
    private final StringBuilder arguments = new StringBuilder();

    private RecordedToolCall toRecord() {
      return new RecordedToolCall(id, name, arguments.toString());
    }
  }

  /**
   * @param keepsContent whether text, reasoning and tool calls are kept
   */
  public AnswerTranscript(boolean keepsContent) {
    text = keepsContent ? new TextBuffer() : null;
    reasoning = keepsContent ? new TextBuffer() : null;
    calls = keepsContent ? new TreeMap<>() : null;
  }

  /** Returns the id the upstream gave its answer; null when it gave none. */
  @Nullable String upstreamId() {
    return upstreamId;
  }

  /** Returns the upstream's reason why the answer ended; null when it gave none. */
  @Nullable String nativeReason() {
    return nativeReason;
  }

  /**
   * Stops recording content and releases the answer except for what was recorded, which may be read
   * afterwards.
   *
   * @return the approximate size in bytes of what was recorded
   */
  long seal() {
    lock.lock();
    try {
      isSealed = true;
      long bytes = 0;
      for (String address : citedUrls == null ? Set.<String>of() : citedUrls) {
        bytes += address.length();
      }
      if (text == null || reasoning == null || calls == null) {
        return bytes;
      }
      bytes += text.release() + reasoning.release();
      for (PartialCall call : calls.values()) {
        bytes += call.id.length() + call.name.length() + 2L * call.arguments.length();
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the text of the answer; empty when content is not kept. */
  String text() {
    return content(text).text();
  }

  /**
   * Returns the text of the answer as a JSON value that keeps nothing else of the answer reachable;
   * empty when content is not kept.
   */
  Json.Str textValue() {
    return content(text);
  }

  /** Returns the reasoning that is not encrypted; empty when content is not kept. */
  String reasoning() {
    return content(reasoning).text();
  }

  /** Returns the answer's tool calls in their order; empty when content is not kept. */
  List<RecordedToolCall> toolCalls() {
    if (calls == null) {
      return List.of();
    }
    lock.lock();
    try {
      return calls.isEmpty()
          ? List.of()
          : calls.values().stream().map(PartialCall::toRecord).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many web pages the answer cites, each counted once. */
  int citedPageCount() {
    lock.lock();
    try {
      return citedUrls == null ? 0 : citedUrls.size();
    } finally {
      lock.unlock();
    }
  }

  private Json.Str content(@Nullable TextBuffer buffer) {
    if (buffer == null) {
      return EMPTY_TEXT;
    }
    lock.lock();
    try {
      return buffer.toJson();
    } finally {
      lock.unlock();
    }
  }

  /** Records an event of the answer. Events must be given in order. */
  public void accept(Event event) {
    switch (event) {
      case Event.Started started -> upstreamId = upstreamIdIn(started.frame());
      case Event.Finished finished -> nativeReason = finished.nativeReason();
      case Event.CompleteAnswer(Answer answer) -> {
        upstreamId = upstreamIdIn(answer.source());
        nativeReason = answer.nativeReason();
        answer.parts().forEach(this::add);
      }
      case Event.TextDelta delta -> add(delta.text(), text);
      case Event.RefusalDelta delta -> add(delta.text(), text);
      case Event.ReasoningDelta delta -> add(delta.text(), reasoning);
      case Event.ToolCallDelta delta ->
          recordToolCall(delta.index(), delta.id(), delta.name(), delta.arguments().text());
      case Event.ReasoningSignature e -> {}
      case Event.EncryptedReasoning e -> {}
      case Event.Logprobs e -> {}
      case Event.ServerToolRun e -> {}
      case Event.BlockStart e -> {}
      case Event.BlockStop e -> {}
      case Event.OtherContent e -> {}
      case Event.Annotation annotation -> cite(annotation.body());
      case Event.UpstreamBodyEcho e -> {}
      case Event.AudioDelta e -> {}
      case Event.UsageReport e -> {}
      case Event.Failed e -> {}
    }
  }

  private void add(Part part) {
    switch (part) {
      case Part.Text piece -> add(piece.text(), text);
      case Part.Refusal piece -> add(piece.text(), text);
      case Part.Thinking thought -> {
        if (thought.kind() != Part.Thinking.Kind.ENCRYPTED) {
          add(thought.text(), reasoning);
        }
      }
      case Part.Image p -> {}
      case Part.Audio p -> {}
      case Part.Video p -> {}
      case Part.File p -> {}
      case Part.ToolCall call ->
          recordToolCall(-1, call.id(), call.name(), call.arguments().text());
      case Part.ToolResult p -> {}
      case Part.Citation citation -> cite(citation.body());
      case Part.Logprobs p -> {}
      case Part.ServerToolRun p -> {}
      case Part.Unknown p -> {}
    }
  }

  private void cite(Json.Obj body) {
    Json.Obj page = body.object("url_citation");
    String address = page == null ? null : page.text("url");
    if (address == null) {
      return;
    }
    lock.lock();
    try {
      citedUrls = citedUrls == null ? new HashSet<>() : citedUrls;
      if (!isSealed && citedUrls.size() < MAX_CITED_PAGES) {
        citedUrls.add(address);
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(Json.Str piece, @Nullable TextBuffer textBuffer) {
    if (textBuffer == null) {
      return;
    }
    lock.lock(); // another thread may end the answer while this one reads it
    try {
      if (!isSealed) {
        textBuffer.add(piece);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records a tool call, or the next piece of one.
   *
   * @param index the index of the call in the answer; -1 for a complete call, which gets the next
   *     free index
   */
  private void recordToolCall(
      int index, @Nullable String id, @Nullable String name, String argumentsPiece) {
    if (calls == null) {
      return;
    }
    lock.lock();
    try {
      int callIndex = index < 0 ? calls.size() : index;
      if (isSealed || !calls.containsKey(callIndex) && calls.size() == MAX_CALLS) {
        return;
      }
      PartialCall call = calls.computeIfAbsent(callIndex, absent -> new PartialCall());
      call.id = id == null ? call.id : id;
      call.name = name == null ? call.name : name;
      int room = Math.max(0, MAX_CHARS / MAX_CALLS - call.arguments.length());
      call.arguments.append(argumentsPiece, 0, Math.min(argumentsPiece.length(), room));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the upstream's id of an answer, from whichever member its dialect has for it. */
  private static @Nullable String upstreamIdIn(Json.@Nullable Obj frame) {
    if (frame == null) {
      return null;
    }
    Json.Obj message = frame.object("message");
    Json.Obj response = message == null ? frame.object("response") : message;
    String id = response == null ? frame.text("id") : response.text("id");
    return id == null ? frame.text("responseId") : id;
  }
}
