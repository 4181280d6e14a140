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
  private static final Json.Arr EMPTY_ARRAY = Json.array();

  private final ItemIds ids;
  private final OutputListener listener;
  private final List<OutputItem> items = new ArrayList<>();
  private final Map<Integer, OutputItem> calls = new HashMap<>();
  private @Nullable OutputItem current; // the open message or reasoning, if any
  private @Nullable OutputItem lastChanged;
  private boolean hasRefusal;

  ResponseOutput(String generationId, OutputListener listener) {
    this.ids = new ItemIds(generationId);
    this.listener = listener;
  }

  /**
   * Appends output text to the open message, or to a new one.
   *
   * @param logprobs the log probabilities of the text's tokens; empty when unknown
   */
  void addText(Json.Str text, Json.Arr logprobs) {
    append(ItemText.Kind.TEXT, text, logprobs);
  }

  void addRefusal(Json.Str text) {
    append(ItemText.Kind.REFUSAL, text, EMPTY_ARRAY);
  }

  private void append(ItemText.Kind kind, Json.Str text, Json.Arr logprobs) {
    if (!text.isEmpty()) {
      hasRefusal |= kind == ItemText.Kind.REFUSAL;
      openOrBeginText(openOrBeginMessage(), kind).appendText(text, logprobs, listener);
    }
  }

  void addReasoning(Json.Str text, boolean isSummary, @Nullable String id) {
    if (!text.isEmpty()) {
      ItemText.Kind kind = isSummary ? ItemText.Kind.SUMMARY : ItemText.Kind.REASONING_TEXT;
      openOrBeginText(openOrBeginReasoning(id), kind).appendText(text, EMPTY_ARRAY, listener);
    }
  }

  /** Adds a signature to the open reasoning, or to a new item if no open reasoning can have it. */
  void addSignature(Json.Str signature, @Nullable String format, @Nullable String id) {
    OutputItem item = openReasoning(id);
    boolean hasNoText = item != null && !item.has(ItemText.Kind.REASONING_TEXT);
    if (item == null || id == null && hasNoText && item.has(ItemText.Kind.SUMMARY)) {
      item = beginReasoning(id);
    }
    item.addAtEnd("signature", signature);
    seal(item, format);
  }

  /**
   * Adds encrypted content to the open reasoning with this id; without an id, to open reasoning
   * that has only a summary; otherwise to a new item.
   */
  void addEncrypted(Json.Str data, @Nullable String format, @Nullable String id) {
    OutputItem item = openReasoning(id);
    if (item == null || id == null && item.has(ItemText.Kind.REASONING_TEXT)) {
      item = beginReasoning(id);
    }
    item.addAtEnd("encrypted_content", data);
    seal(item, format);
  }

  private void seal(OutputItem item, @Nullable String format) {
    if (format != null) {
      item.addAtEnd("format", Json.of(format));
    }
    item.seal();
    if (!item.isFromUpstream()) {
      finish(item, "completed");
    }
  }

  /** Closes the texts of the open reasoning when the upstream begins another block of reasoning. */
  void beginBlock(Event.BlockStart.Kind kind) {
    OutputItem item = current;
    if (kind == Event.BlockStart.Kind.REASONING
        && item != null
        && item.kind() == OutputItem.Kind.REASONING
        && !item.isFromUpstream()) {
      item.closeTexts(listener);
    }
  }

  /**
   * Ends the item that changed last if it is a call, since the upstream reported that the call is
   * complete.
   */
  void completeLastCall() {
    OutputItem item = lastChanged;
    if (item != null
        && item.kind() == OutputItem.Kind.CALL
        && !item.isFromUpstream()
        && !item.isDone()) {
      finish(item, "completed");
    }
  }

  /**
   * Adds a citation to the open message, or to a new one.
   *
   * @param body the citation in the form of the chat dialect
   */
  void addCitation(Json.Obj body) {
    OutputItem message = openOrBeginMessage();
    int precedingChars = 0;
    for (OutputItem item : items) {
      precedingChars += item == message ? 0 : item.textLength();
    }
    openOrBeginText(message, ItemText.Kind.TEXT)
        .annotate(flatCitation(body, precedingChars), listener);
  }

  /** Adds log probabilities to the open text, if there is one. */
  void addLogprobs(Json.Arr content) {
    ItemText text = current == null ? null : current.openText(ItemText.Kind.TEXT);
    if (text != null) {
      text.addLogprobs(content);
    }
  }

  /**
   * Appends a fragment of a call.
   *
   * @param number the index of the call among those of its turn, from 0
   * @throws IllegalStateException if the call is already complete
   */
  void addCall(int number, @Nullable String callId, @Nullable String name, Json.Str arguments) {
    OutputItem item = calls.get(number);
    if (item == null || callId != null && !callId.equals(item.callId())) {
      item = beginCall(callId, name == null ? "" : name);
      calls.put(number, item);
    } else if (item.isDone()) {
      throw new IllegalStateException("a delta for a tool call that is already complete");
    }
    lastChanged = item;
    if (!arguments.isEmpty()) {
      openOrBeginText(item, ItemText.Kind.ARGUMENTS).appendText(arguments, EMPTY_ARRAY, listener);
    }
  }

  private OutputItem beginCall(@Nullable String callId, String name) {
    String id = ids.of("fc", items.size());
    return begin(
        OutputItem.Kind.CALL,
        Json.object()
            .put("id", id)
            .put("type", "function_call")
            .put("status", "in_progress")
            .put("call_id", callId == null ? ids.of("call", items.size()) : callId)
            .put("name", name)
            .put("arguments", "")
            .build());
  }

  /** Adds an item for a tool that the gateway ran, which the caller sends back. */
  void addToolRun(Part.ServerToolRun run) {
    String type = run.tool().startsWith("router:") ? run.tool() : "router:" + run.tool();
    OutputItem item =
        begin(
            OutputItem.Kind.OTHER,
            Json.object()
                .put("id", ids.of("st", items.size()))
                .put("type", type)
                .put("status", "in_progress")
                .put("call_id", run.callId())
                .put("arguments", run.arguments().asString())
                .build());
    item.addAtEnd("output", run.result());
    finish(item, "completed");
  }

  /** Adds an item for an image that the model generated. */
  void addImage(Json.Str url) {
    String address = url.text();
    int data = address.startsWith("data:") ? address.indexOf(";base64,") : -1;
    OutputItem item =
        begin(
            OutputItem.Kind.OTHER,
            Json.object()
                .put("id", ids.of("ig", items.size()))
                .put("type", "image_generation_call")
                .put("status", "in_progress")
                .put("result", Json.NULL)
                .build());
    item.addAtEnd(
        "result", data < 0 ? url : Json.of(address.substring(data + ";base64,".length())));
    finish(item, "completed");
  }

  /** Begins an upstream's item; the caller reports its beginning and end to the listener. */
  OutputItem beginUpstreamItem(Json.Obj announced) {
    closeCurrent();
    OutputItem.Kind kind = OutputItem.Kind.of(announced);
    var item = new OutputItem(kind, items.size(), announced, true);
    items.add(item);
    lastChanged = item;
    current = kind == OutputItem.Kind.MESSAGE || kind == OutputItem.Kind.REASONING ? item : null;
    return item;
  }

  /** Assigns a call number to an upstream's item. */
  void assignCall(int number, OutputItem call) {
    calls.put(number, call);
  }

  /** Marks an upstream's item as the one that changed last. */
  void markChanged(OutputItem item) {
    lastChanged = item;
  }

  /** Ends an upstream's item, whose last event the listener has already received. */
  void finishUpstreamItem(OutputItem item, Json.Obj document) {
    item.finish(document);
    current = current == item ? null : current;
  }

  /** Ends the items for the model's next turn, whose calls are numbered from 0 again. */
  void beginNextTurn() {
    endItems("completed", "completed");
    calls.clear();
  }

  /** Ends the items that are still open when the response ends. */
  void end(ResponseEnding ending) {
    boolean isComplete = ending.isComplete();
    String earlierStatus = isComplete || ending.error() == null ? "completed" : "incomplete";
    endItems(earlierStatus, isComplete ? "completed" : "incomplete");
  }

  private void endItems(String status, String lastStatus) {
    for (OutputItem item : items) {
      if (!item.isDone()) {
        finish(item, item == lastChanged ? lastStatus : status);
      }
    }
    current = null;
  }

  private OutputItem openOrBeginMessage() {
    OutputItem openItem = current;
    if (openItem != null && openItem.kind() == OutputItem.Kind.MESSAGE) {
      lastChanged = openItem;
      return openItem;
    }
    OutputItem item =
        begin(
            OutputItem.Kind.MESSAGE,
            Json.object()
                .put("id", ids.of("msg", items.size()))
                .put("type", "message")
                .put("status", "in_progress")
                .put("role", "assistant")
                .put("content", EMPTY_ARRAY)
                .build());
    current = item;
    return item;
  }

  private OutputItem openOrBeginReasoning(@Nullable String id) {
    OutputItem item = openReasoning(id);
    if (item == null) {
      return beginReasoning(id);
    }
    lastChanged = item;
    return item;
  }

  /** Returns the open reasoning if content with this id may belong to it, otherwise null. */
  private @Nullable OutputItem openReasoning(@Nullable String id) {
    OutputItem item = current;
    return item != null
            && item.kind() == OutputItem.Kind.REASONING
            && !item.isSealed()
            && (id == null || id.equals(item.id()))
        ? item
        : null;
  }

  private OutputItem beginReasoning(@Nullable String id) {
    OutputItem item =
        begin(
            OutputItem.Kind.REASONING,
            Json.object()
                .put("id", id == null ? ids.of("rs", items.size()) : id)
                .put("type", "reasoning")
                .put("status", "in_progress")
                .put("summary", EMPTY_ARRAY)
                .build());
    current = item;
    return item;
  }

  private OutputItem begin(OutputItem.Kind kind, Json.Obj announced) {
    closeCurrent();
    var item = new OutputItem(kind, items.size(), announced, false);
    items.add(item);
    lastChanged = item;
    notifyListener("response.output_item.added", item, announced);
    return item;
  }

  private void closeCurrent() {
    if (current != null && !current.isFromUpstream()) {
      finish(current, "completed");
    }
    current = null;
  }

  /** Returns the item's open text of this kind, or closes its texts and begins one. */
  private ItemText openOrBeginText(OutputItem item, ItemText.Kind kind) {
    ItemText openText = item.openText(kind);
    if (openText != null) {
      return openText;
    }
    item.closeTexts(listener);
    ItemText newText = item.beginText(kind);
    newText.announce(listener);
    return newText;
  }

  private void finish(OutputItem item, String status) {
    if (item.kind() == OutputItem.Kind.CALL && status.equals("completed")) {
      ItemText existing = item.findText(ItemText.Kind.ARGUMENTS, 0);
      ItemText arguments = existing == null ? item.beginText(ItemText.Kind.ARGUMENTS) : existing;
      // strict clients parse the arguments, so they must not be empty
      if (arguments.isEmpty() && arguments.isOpen()) {
        arguments.appendText(Json.of("{}"), EMPTY_ARRAY, listener);
      }
    }
    item.closeTexts(listener);
    notifyListener("response.output_item.done", item, item.finish(status));
    current = current == item ? null : current;
  }

  private void notifyListener(String type, OutputItem item, Json.Obj document) {
    listener.onEvent(
        type, Json.object().put("output_index", item.index()).put("item", document).build());
  }

  boolean hasRefusal() {
    return hasRefusal;
  }

  /** Records that an upstream's item has a refusal. */
  void markRefusal() {
    hasRefusal = true;
  }

  /** Returns the documents of the finished items. */
  Json.Arr documents() {
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
   * @param precedingChars the number of characters of text before the part
   */
  private static Json.Obj flatCitation(Json.Obj body, int precedingChars) {
    Json.Obj citation = body.object("url_citation");
    if (citation == null) {
      return body;
    }
    Json.Obj.Builder flat = Json.object().put("type", "url_citation");
    for (int i = 0; i < citation.size(); i++) {
      String name = citation.name(i);
      boolean isOffset = name.equals("start_index") || name.equals("end_index");
      flat.put(name, isOffset ? shift(citation.value(i), precedingChars) : citation.value(i));
    }
    return flat.build();
  }

  private static Json shift(Json offset, int precedingChars) {
    long index = offset instanceof Json.Num number ? number.asLong().orElse(-1) : -1;
    return precedingChars > 0 && index >= precedingChars ? Json.of(index - precedingChars) : offset;
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
    String of(String kind, int index) {
      return kind + "_" + generationId + "_" + index;
    }
  }
}
