package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The output of one response in progress: its items in the order in which they began. Consecutive
 * fragments of the same kind form one item. Only calls may stay open while other items begin, since
 * the fragments of parallel calls may come in any order. Confined to one thread.
 */
final class ResponseOutput {
  private static final Json.Arr NONE = Json.array();

  private final ItemIds ids;
  private final OutputListener listener;
  private final List<OutputItem> items = new ArrayList<>();
  private final Map<Integer, OutputItem> calls = new HashMap<>();
  private @Nullable OutputItem current; // the open message or reasoning, if any
  private @Nullable OutputItem touched;
  private boolean refused;

  ResponseOutput(String generationId, OutputListener listener) {
    this.ids = new ItemIds(generationId);
    this.listener = listener;
  }

  /**
   * Appends output text to the open message, or to a new one.
   *
   * @param logprobs the log probabilities of the text's tokens; empty when unknown
   */
  void text(Json.Str text, Json.Arr logprobs) {
    say(ItemPiece.Kind.TEXT, text, logprobs);
  }

  void refusal(Json.Str text) {
    say(ItemPiece.Kind.REFUSAL, text, NONE);
  }

  private void say(ItemPiece.Kind kind, Json.Str text, Json.Arr logprobs) {
    if (!text.isEmpty()) {
      refused |= kind == ItemPiece.Kind.REFUSAL;
      piece(message(), kind).appendText(text, logprobs, listener);
    }
  }

  void thought(Json.Str text, boolean summary, @Nullable String id) {
    if (!text.isEmpty()) {
      ItemPiece.Kind kind = summary ? ItemPiece.Kind.SUMMARY : ItemPiece.Kind.THOUGHT;
      piece(reasoning(id), kind).appendText(text, NONE, listener);
    }
  }

  /** Adds a signature to the open reasoning, or to a new item if no open reasoning can have it. */
  void signature(Json.Str signature, @Nullable String format, @Nullable String id) {
    OutputItem item = openReasoning(id);
    boolean wordless = item != null && !item.has(ItemPiece.Kind.THOUGHT);
    if (item == null || id == null && wordless && item.has(ItemPiece.Kind.SUMMARY)) {
      item = beginReasoning(id);
    }
    item.add("signature", signature);
    sealed(item, format);
  }

  /**
   * Adds encrypted content to the open reasoning with this id; without an id, to open reasoning
   * that has only a summary; otherwise to a new item.
   */
  void encrypted(Json.Str data, @Nullable String format, @Nullable String id) {
    OutputItem item = openReasoning(id);
    if (item == null || id == null && item.has(ItemPiece.Kind.THOUGHT)) {
      item = beginReasoning(id);
    }
    item.add("encrypted_content", data);
    sealed(item, format);
  }

  private void sealed(OutputItem item, @Nullable String format) {
    if (format != null) {
      item.add("format", Json.of(format));
    }
    item.seal();
    if (!item.isForeign()) {
      done(item, "completed");
    }
  }

  /** Closes the texts of the open reasoning, since the upstream begins another block. */
  void beginBlock(Event.BlockStart.Kind kind) {
    OutputItem item = current;
    if (kind == Event.BlockStart.Kind.REASONING
        && item != null
        && item.kind() == OutputItem.Kind.REASONING
        && !item.isForeign()) {
      item.closePieces(listener);
    }
  }

  /**
   * Ends the item that changed last if it is a call, since the upstream reported that it is
   * complete.
   */
  void complete() {
    OutputItem item = touched;
    if (item != null
        && item.kind() == OutputItem.Kind.CALL
        && !item.isForeign()
        && !item.isDone()) {
      done(item, "completed");
    }
  }

  /**
   * Adds a citation to the open message, or to a new one.
   *
   * @param body the citation in the form of the chat dialect
   */
  void citation(Json.Obj body) {
    OutputItem message = message();
    int before = 0;
    for (OutputItem item : items) {
      before += item == message ? 0 : item.textLength();
    }
    piece(message, ItemPiece.Kind.TEXT).annotate(flatCitation(body, before), listener);
  }

  /** Adds log probabilities to the open text, if there is one. */
  void logprobs(Json.Arr content) {
    ItemPiece piece = current == null ? null : current.open(ItemPiece.Kind.TEXT);
    if (piece != null) {
      piece.addLogprobs(content);
    }
  }

  /**
   * Appends a fragment of a call.
   *
   * @param number the index of the call among those of its turn, from 0
   * @throws IllegalStateException if the call is already complete
   */
  void call(int number, @Nullable String callId, @Nullable String name, Json.Str arguments) {
    OutputItem item = calls.get(number);
    if (item == null || callId != null && !callId.equals(item.callId())) {
      item = beginCall(callId, name == null ? "" : name);
      calls.put(number, item);
    } else if (item.isDone()) {
      throw new IllegalStateException("a delta for a tool call that is already complete");
    }
    touched = item;
    if (!arguments.isEmpty()) {
      piece(item, ItemPiece.Kind.ARGUMENTS).appendText(arguments, NONE, listener);
    }
  }

  private OutputItem beginCall(@Nullable String callId, String name) {
    String id = ids.next("fc", items.size());
    return begin(
        OutputItem.Kind.CALL,
        Json.object()
            .put("id", id)
            .put("type", "function_call")
            .put("status", "in_progress")
            .put("call_id", callId == null ? ids.next("call", items.size()) : callId)
            .put("name", name)
            .put("arguments", "")
            .build());
  }

  /** Adds an item for a tool that the gateway ran, which the caller sends back. */
  void run(Part.ServerToolRun run) {
    String type = run.tool().startsWith("router:") ? run.tool() : "router:" + run.tool();
    OutputItem item =
        begin(
            OutputItem.Kind.OTHER,
            Json.object()
                .put("id", ids.next("st", items.size()))
                .put("type", type)
                .put("status", "in_progress")
                .put("call_id", run.callId())
                .put("arguments", run.arguments().asString())
                .build());
    item.add("output", run.result());
    done(item, "completed");
  }

  /** Adds an item for an image that the model generated. */
  void image(Json.Str url) {
    String at = url.text();
    int data = at.startsWith("data:") ? at.indexOf(";base64,") : -1;
    OutputItem item =
        begin(
            OutputItem.Kind.OTHER,
            Json.object()
                .put("id", ids.next("ig", items.size()))
                .put("type", "image_generation_call")
                .put("status", "in_progress")
                .put("result", Json.NULL)
                .build());
    item.add("result", data < 0 ? url : Json.of(at.substring(data + ";base64,".length())));
    done(item, "completed");
  }

  /** Begins an upstream's item; the caller reports its beginning and end to the listener. */
  OutputItem beginUpstreamItem(Json.Obj announced) {
    closeCurrent();
    OutputItem.Kind kind = OutputItem.Kind.of(announced);
    var item = new OutputItem(kind, items.size(), announced, true);
    items.add(item);
    touched = item;
    current = kind == OutputItem.Kind.MESSAGE || kind == OutputItem.Kind.REASONING ? item : null;
    return item;
  }

  /** Assigns a call number to an upstream's item. */
  void assignCall(int number, OutputItem call) {
    calls.put(number, call);
  }

  /** Marks an upstream's item as the one that changed last. */
  void markChanged(OutputItem item) {
    touched = item;
  }

  /** Ends an upstream's item, whose last event the listener has already received. */
  void finished(OutputItem item, Json.Obj document) {
    item.finish(document);
    current = current == item ? null : current;
  }

  /** Ends the items for the model's next turn, whose calls are numbered from 0 again. */
  void nextTurn() {
    endItems("completed", "completed");
    calls.clear();
  }

  /** Ends the items that are still open when the response ends. */
  void end(ResponseEnding responseEnding) {
    boolean complete = responseEnding.isComplete();
    String rest = complete || responseEnding.error() == null ? "completed" : "incomplete";
    endItems(rest, complete ? "completed" : "incomplete");
  }

  private void endItems(String status, String last) {
    for (OutputItem item : items) {
      if (!item.isDone()) {
        done(item, item == touched ? last : status);
      }
    }
    current = null;
  }

  private OutputItem message() {
    OutputItem open = current;
    if (open != null && open.kind() == OutputItem.Kind.MESSAGE) {
      touched = open;
      return open;
    }
    OutputItem item =
        begin(
            OutputItem.Kind.MESSAGE,
            Json.object()
                .put("id", ids.next("msg", items.size()))
                .put("type", "message")
                .put("status", "in_progress")
                .put("role", "assistant")
                .put("content", NONE)
                .build());
    current = item;
    return item;
  }

  private OutputItem reasoning(@Nullable String id) {
    OutputItem open = openReasoning(id);
    if (open == null) {
      return beginReasoning(id);
    }
    touched = open;
    return open;
  }

  /** Returns the open reasoning if content with this id may belong to it, otherwise null. */
  private @Nullable OutputItem openReasoning(@Nullable String id) {
    OutputItem open = current;
    return open != null
            && open.kind() == OutputItem.Kind.REASONING
            && !open.isSealed()
            && (id == null || id.equals(open.id()))
        ? open
        : null;
  }

  private OutputItem beginReasoning(@Nullable String id) {
    OutputItem item =
        begin(
            OutputItem.Kind.REASONING,
            Json.object()
                .put("id", id == null ? ids.next("rs", items.size()) : id)
                .put("type", "reasoning")
                .put("status", "in_progress")
                .put("summary", NONE)
                .build());
    current = item;
    return item;
  }

  private OutputItem begin(OutputItem.Kind kind, Json.Obj announced) {
    closeCurrent();
    var item = new OutputItem(kind, items.size(), announced, false);
    items.add(item);
    touched = item;
    tell("response.output_item.added", item, announced);
    return item;
  }

  private void closeCurrent() {
    if (current != null && !current.isForeign()) {
      done(current, "completed");
    }
    current = null;
  }

  /** Returns the item's open text of this kind, or closes its texts and begins one. */
  private ItemPiece piece(OutputItem item, ItemPiece.Kind kind) {
    ItemPiece open = item.open(kind);
    if (open != null) {
      return open;
    }
    item.closePieces(listener);
    ItemPiece piece = item.begin(kind);
    piece.announce(listener);
    return piece;
  }

  private void done(OutputItem item, String status) {
    if (item.kind() == OutputItem.Kind.CALL && status.equals("completed")) {
      ItemPiece said = item.find(ItemPiece.Kind.ARGUMENTS, 0);
      ItemPiece arguments = said == null ? item.begin(ItemPiece.Kind.ARGUMENTS) : said;
      // strict clients parse the arguments, so they must not be empty
      if (arguments.isEmpty() && arguments.isOpen()) {
        arguments.appendText(Json.of("{}"), NONE, listener);
      }
    }
    item.closePieces(listener);
    tell("response.output_item.done", item, item.finish(status));
    current = current == item ? null : current;
  }

  private void tell(String type, OutputItem item, Json.Obj document) {
    listener.onEvent(
        type, Json.object().put("output_index", item.index()).put("item", document).build());
  }

  boolean refused() {
    return refused;
  }

  /** Records that an upstream's item has a refusal. */
  void markRefused() {
    refused = true;
  }

  /** Returns the documents of the finished items. */
  Json.Arr items() {
    var documents = new ArrayList<Json>(items.size());
    for (OutputItem item : items) {
      Json.Obj document = item.document();
      if (document != null) {
        documents.add(document);
      }
    }
    return Json.array(documents);
  }

  /**
   * Returns a nested citation of the chat dialect in this dialect's flat form. Offsets in the chat
   * dialect count from the start of all text, in this dialect from the start of the part.
   *
   * @param before the number of characters of text before the part
   */
  private static Json.Obj flatCitation(Json.Obj body, int before) {
    Json.Obj citation = body.object("url_citation");
    if (citation == null) {
      return body;
    }
    Json.Obj.Builder flat = Json.object().put("type", "url_citation");
    for (int i = 0; i < citation.size(); i++) {
      String name = citation.name(i);
      boolean offset = name.equals("start_index") || name.equals("end_index");
      flat.put(name, offset ? moved(citation.value(i), before) : citation.value(i));
    }
    return flat.build();
  }

  private static Json moved(Json offset, int before) {
    long at = offset instanceof Json.Num number ? number.asLong().orElse(-1) : -1;
    return before > 0 && at >= before ? Json.of(at - before) : offset;
  }

  /**
   * Creates item ids from the kind, the generation id and the item's index, so that an answer has
   * the same ids whenever it is written.
   */
  private record ItemIds(String generationId) {
    private static final String PREFIX = "gen-";

    ItemIds {
      generationId =
          generationId.startsWith(PREFIX) ? generationId.substring(PREFIX.length()) : generationId;
    }

    /**
     * @param kind the prefix, such as {@code msg}, {@code rs} or {@code fc}
     */
    String next(String kind, int place) {
      return kind + "_" + generationId + "_" + place;
    }
  }
}
