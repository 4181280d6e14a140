package io.strowger.plugins.contextcompression;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the middle of a conversation: first whole messages, starting with those nearest to the
 * middle, then the middle of the longest texts. A tool call is left out together with its results,
 * and reasoning together with the message that follows it. Instructions, the last user message and
 * the last message are never left out, and the text of instructions is never cut. Open question 59.
 *
 * @param tokenCounter estimates the prompt tokens of a request
 * @param maxTokens the most tokens the prompt may have
 * @param maxMessages the most messages the request may have
 */
record MiddleOut(ToLongFunction<InferenceRequest> tokenCounter, long maxTokens, int maxMessages) {
  private static final String GAP = "\n[...]\n";
  private static final int BYTES_PER_TOKEN = 4;

  /**
   * Adjacent messages that are kept or left out together: from inclusive, to exclusive, and their
   * tokens.
   */
  private record Unit(int from, int to, long tokens) {
    int size() {
      return to - from;
    }

    /** Returns twice the distance of the unit's middle from the middle of all messages. */
    int distance(int messages) {
      return Math.abs(from + to - messages);
    }
  }

  /** Returns the shortened request; null when it cannot be made to fit. */
  @Nullable InferenceRequest shorten(InferenceRequest request) {
    List<Message> messages = request.messages();
    List<Unit> units = units(request);
    long promptTokens = tokenCounter.applyAsLong(request);
    int count = messages.size();
    boolean[] isDropped = new boolean[count];
    for (Unit unit : droppable(messages, units)) {
      if (promptTokens <= maxTokens && count <= maxMessages) {
        break;
      }
      Arrays.fill(isDropped, unit.from, unit.to, true);
      promptTokens -= unit.tokens;
      count -= unit.size();
    }
    InferenceRequest shortened =
        count == messages.size() ? request : with(request, keep(messages, isDropped));
    return count > maxMessages ? null : cut(shortened);
  }

  private static InferenceRequest with(InferenceRequest request, List<Message> messages) {
    return request.toBuilder().messages(messages).build();
  }

  private static List<Message> keep(List<Message> messages, boolean[] isDropped) {
    var result = new ArrayList<Message>();
    for (int i = 0; i < isDropped.length; i++) {
      if (!isDropped[i]) {
        result.add(messages.get(i));
      }
    }
    return List.copyOf(result);
  }

  /**
   * Divides the messages into units. A unit with a call includes all messages up to the call's
   * result. To save work, the tokens of a unit are estimated without the tools and other members of
   * the request.
   */
  private List<Unit> units(InferenceRequest request) {
    List<Message> messages = request.messages();
    InferenceRequest messagesOnly =
        request.toBuilder().instructions(null).tools(List.of()).members(Json.Obj.EMPTY).build();
    long base = tokenCounter.applyAsLong(with(messagesOnly, List.of()));
    int[] groupEnds = groupEnds(messages);
    var units = new ArrayList<Unit>();
    for (int from = 0, to; from < messages.size(); from = to) {
      to = from + 1;
      for (int i = from; i < to; i++) {
        to = Math.max(to, groupEnds[i]);
      }
      long unitTokens =
          tokenCounter.applyAsLong(with(messagesOnly, messages.subList(from, to))) - base;
      units.add(new Unit(from, to, unitTokens));
    }
    return units;
  }

  /** Returns, for each message, the exclusive end index of the messages that must stay with it. */
  private static int[] groupEnds(List<Message> messages) {
    var calls = new HashMap<String, Integer>();
    int[] groupEnds = new int[messages.size()];
    for (int i = 0; i < groupEnds.length; i++) {
      Message message = messages.get(i);
      boolean isOnlyReasoning =
          !message.parts().isEmpty()
              && message.parts().stream().allMatch(part -> part instanceof Part.Thinking);
      groupEnds[i] = isOnlyReasoning ? Math.min(i + 2, groupEnds.length) : i + 1;
      for (Part part : message.parts()) {
        if (part instanceof Part.ToolCall call) {
          calls.put(call.id(), i);
        }
        if (part instanceof Part.ToolResult result) {
          extendGroup(calls, result.callId(), groupEnds, i);
        }
      }
    }
    return groupEnds;
  }

  private static void extendGroup(
      Map<String, Integer> calls, String id, int[] groupEnds, int result) {
    Integer call = calls.get(id);
    if (call != null) {
      groupEnds[call] = Math.max(groupEnds[call], result + 1);
    }
  }

  private static List<Unit> droppable(List<Message> messages, List<Unit> units) {
    int lastUser = lastUser(messages);
    return units.stream()
        .filter(unit -> unit.to < messages.size())
        .filter(unit -> lastUser < unit.from || lastUser >= unit.to)
        .filter(
            unit ->
                messages.subList(unit.from, unit.to).stream().noneMatch(MiddleOut::isInstruction))
        .sorted(
            Comparator.<Unit>comparingInt(unit -> unit.distance(messages.size()))
                .thenComparingInt(Unit::from))
        .toList();
  }

  private static boolean isInstruction(Message message) {
    return message.role() == Message.Role.SYSTEM || message.role() == Message.Role.DEVELOPER;
  }

  /** Returns the index of the last message with user content; -1 when there is none. */
  private static int lastUser(List<Message> messages) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      Message message = messages.get(i);
      if (message.role() == Message.Role.USER
          && !message.parts().stream().allMatch(part -> part instanceof Part.ToolResult)) {
        return i;
      }
    }
    return -1;
  }

  /** Cuts the longest texts until the request fits; null when nothing is left to cut. */
  private @Nullable InferenceRequest cut(InferenceRequest request) {
    InferenceRequest current = request;
    for (long excess = excessTokens(current); excess > 0; excess = excessTokens(current)) {
      List<Message> shortened = cut(current.messages(), excess * BYTES_PER_TOKEN);
      if (shortened == null) {
        return null;
      }
      current = with(current, shortened);
    }
    return current;
  }

  /**
   * Cuts texts, the longest first, in one pass. There may be hundreds of thousands of texts, and
   * estimating the whole prompt again after each cut would take hours.
   *
   * @param bytes how many bytes to remove
   * @return null when no text can be made shorter
   */
  private static @Nullable List<Message> cut(List<Message> messages, long bytes) {
    var shortTexts = new IdentityHashMap<Part, String>();
    long bytesLeft = bytes;
    for (Part.Text longest : textsByLength(messages)) {
      String text = longest.text().text();
      String cut = bytesLeft > 0 ? withoutMiddle(text, bytesLeft) : text;
      if (cut.length() >= text.length()) {
        break; // no further text is longer than this one
      }
      bytesLeft -= bytes(text) - bytes(cut);
      shortTexts.put(longest, cut);
    }
    return shortTexts.isEmpty() ? null : replaceTexts(messages, shortTexts);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private long excessTokens(InferenceRequest request) {
    return tokenCounter.applyAsLong(request) - maxTokens;
  }

  /** Returns all texts that may be cut, the longest first. */
  private static List<Part.Text> textsByLength(List<Message> messages) {
    var texts = new ArrayList<Part.Text>();
    for (Message message : messages) {
      if (!isInstruction(message)) {
        message.parts().forEach(part -> addTexts(part, texts));
      }
    }
    texts.removeIf(text -> isCut(text.text().text()));
    texts.sort(Comparator.<Part.Text>comparingInt(text -> text.text().text().length()).reversed());
    return texts;
  }

  private static void addTexts(Part part, List<Part.Text> texts) {
    if (part instanceof Part.Text textPart) {
      texts.add(textPart);
    } else if (part instanceof Part.ToolResult result) {
      result.content().forEach(inner -> addTexts(inner, texts));
    }
  }

  private static boolean isCut(String text) {
    return text.startsWith(GAP) && text.endsWith(GAP);
  }

  /**
   * Returns the text without its middle, shorter by about this many bytes; surrogate pairs are not
   * split.
   */
  private static String withoutMiddle(String text, long excessBytes) {
    double charsPerByte = (double) text.length() / Math.max(1, bytes(text));
    long characters = (long) Math.ceil(excessBytes * charsPerByte);
    int surplus = (int) Math.min(text.length(), characters + GAP.length());
    int keptLength = text.length() - surplus;
    int head = (keptLength + 1) / 2;
    int tail = text.length() - keptLength / 2;
    if (head > 0 && Character.isHighSurrogate(text.charAt(head - 1))) {
      head--;
    }
    if (tail < text.length() && Character.isLowSurrogate(text.charAt(tail))) {
      tail++;
    }
    return text.substring(0, head) + GAP + text.substring(tail);
  }

  private static List<Message> replaceTexts(List<Message> messages, Map<Part, String> shortTexts) {
    var result = new ArrayList<Message>(messages.size());
    for (Message message : messages) {
      List<Part> parts = replaceInParts(message.parts(), shortTexts);
      result.add(parts == message.parts() ? message : message.withParts(parts));
    }
    return List.copyOf(result);
  }

  private static List<Part> replaceInParts(List<Part> parts, Map<Part, String> shortTexts) {
    var result = new ArrayList<Part>(parts.size());
    boolean hasChanged = false;
    for (Part part : parts) {
      Part replacement = replaceTexts(part, shortTexts);
      hasChanged |= replacement != part;
      result.add(replacement);
    }
    return hasChanged ? List.copyOf(result) : parts;
  }

  private static Part replaceTexts(Part part, Map<Part, String> shortTexts) {
    if (part instanceof Part.ToolResult result) {
      List<Part> content = replaceInParts(result.content(), shortTexts);
      return content == result.content()
          ? part
          : new Part.ToolResult(
              result.callId(), content, result.form(), result.isError(), result.extras(), null);
    }
    String text = shortTexts.get(part);
    return text != null && part instanceof Part.Text textPart ? textPart.withText(text) : part;
  }
}
