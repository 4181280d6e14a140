package io.strowger.plugins.contextcompression;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the middle of a conversation: whole messages first, those nearest to the middle before
 * others, then the middle of the longest text. A call goes with its results, and a thought with
 * what it led to. Instructions, the last user message and whatever stands last are never left out,
 * and no text of instructions is cut. Open question 59.
 *
 * @param tokens estimates a request
 * @param room tokens it may have
 * @param mostMessages messages it may have
 */
record MiddleOut(ToLongFunction<InferenceRequest> tokens, long room, int mostMessages) {
  private static final String GAP = "\n[...]\n";
  private static final int BYTES_PER_TOKEN = 4;

  /** Neighbours that stay or go together. */
  private record Unit(int from, int to, long tokens) {
    int size() {
      return to - from;
    }

    /** Twice the distance of its middle from the middle of all messages. */
    int distance(int messages) {
      return Math.abs(from + to - messages);
    }
  }

  /** Returns the request made to fit; null when it cannot be. */
  @Nullable InferenceRequest applied(InferenceRequest request) {
    List<Message> messages = request.messages();
    long base = tokens.applyAsLong(with(request, List.of()));
    List<Unit> units = units(request, base);
    long left = tokens.applyAsLong(request);
    int count = messages.size();
    boolean[] gone = new boolean[count];
    for (Unit unit : droppable(messages, units)) {
      if (left <= room && count <= mostMessages) {
        break;
      }
      Arrays.fill(gone, unit.from, unit.to, true);
      left -= unit.tokens;
      count -= unit.size();
    }
    InferenceRequest less =
        count == messages.size() ? request : with(request, kept(messages, gone));
    return count > mostMessages ? null : cut(less);
  }

  private static InferenceRequest with(InferenceRequest request, List<Message> messages) {
    return request.toBuilder().messages(messages).build();
  }

  private static List<Message> kept(List<Message> messages, boolean[] gone) {
    var kept = new ArrayList<Message>();
    for (int i = 0; i < gone.length; i++) {
      if (!gone[i]) {
        kept.add(messages.get(i));
      }
    }
    return List.copyOf(kept);
  }

  /** Never instructions between a call and its result: what stands between goes with both. */
  private List<Unit> units(InferenceRequest request, long base) {
    List<Message> messages = request.messages();
    int[] reaches = reaches(messages);
    var units = new ArrayList<Unit>();
    for (int from = 0, to; from < messages.size(); from = to) {
      to = from + 1;
      for (int i = from; i < to; i++) {
        to = Math.max(to, reaches[i]);
      }
      long own = tokens.applyAsLong(with(request, messages.subList(from, to))) - base;
      units.add(new Unit(from, to, own));
    }
    return units;
  }

  /** For each message, behind which one ends what belongs to it. */
  private static int[] reaches(List<Message> messages) {
    var calls = new HashMap<String, Integer>();
    int[] reaches = new int[messages.size()];
    for (int i = 0; i < reaches.length; i++) {
      Message message = messages.get(i);
      boolean onlyThought =
          !message.parts().isEmpty()
              && message.parts().stream().allMatch(part -> part instanceof Part.Thinking);
      reaches[i] = onlyThought ? Math.min(i + 2, reaches.length) : i + 1;
      for (Part part : message.parts()) {
        if (part instanceof Part.ToolCall call) {
          calls.put(call.id(), i);
        }
        if (part instanceof Part.ToolResult result) {
          reach(calls, result.callId(), reaches, i);
        }
      }
    }
    return reaches;
  }

  private static void reach(Map<String, Integer> calls, String id, int[] reaches, int result) {
    Integer call = calls.get(id);
    if (call != null) {
      reaches[call] = Math.max(reaches[call], result + 1);
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

  /** The last message in which a user says something; -1 when none does. */
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

  /** Cuts the longest text, then the next, until all fits; null when there is nothing to cut. */
  private @Nullable InferenceRequest cut(InferenceRequest request) {
    InferenceRequest now = request;
    for (long over = over(now); over > 0; over = over(now)) {
      Place longest = longest(now.messages());
      if (longest == null) {
        return null;
      }
      String text = longest.text();
      String shorter = shortened(text, over);
      if (shorter.length() >= text.length()) {
        return null;
      }
      now = with(now, replaced(now.messages(), longest, shorter));
    }
    return now;
  }

  private long over(InferenceRequest request) {
    return tokens.applyAsLong(request) - room;
  }

  /**
   * Where a text is.
   *
   * @param inner which part of a tool's result it is; -1 when it is no such part
   */
  private record Place(int message, int part, int inner, String text) {}

  private static @Nullable Place longest(List<Message> messages) {
    Place longest = null;
    for (int i = 0; i < messages.size(); i++) {
      if (isInstruction(messages.get(i))) {
        continue;
      }
      List<Part> parts = messages.get(i).parts();
      for (int j = 0; j < parts.size(); j++) {
        longest = longer(longest, i, j, parts.get(j));
      }
    }
    return longest;
  }

  private static @Nullable Place longer(@Nullable Place longest, int message, int at, Part part) {
    Place now = longest;
    if (part instanceof Part.Text said) {
      now = longer(now, new Place(message, at, -1, said.text().text()));
    } else if (part instanceof Part.ToolResult result) {
      for (int i = 0; i < result.content().size(); i++) {
        if (result.content().get(i) instanceof Part.Text said) {
          now = longer(now, new Place(message, at, i, said.text().text()));
        }
      }
    }
    return now;
  }

  private static @Nullable Place longer(@Nullable Place longest, Place other) {
    boolean isCut = other.text.endsWith(GAP) && other.text.startsWith(GAP);
    return !isCut && (longest == null || other.text.length() > longest.text.length())
        ? other
        : longest;
  }

  /** The text without its middle; whole characters, and at least as many tokens less if it can. */
  private static String shortened(String text, long over) {
    long bytes = text.getBytes(StandardCharsets.UTF_8).length;
    double each = (double) text.length() / Math.max(1, bytes);
    long characters = (long) Math.ceil(over * BYTES_PER_TOKEN * each);
    int surplus = (int) Math.min(text.length(), characters + GAP.length());
    int left = text.length() - surplus;
    int head = (left + 1) / 2;
    int tail = text.length() - left / 2;
    if (head > 0 && Character.isHighSurrogate(text.charAt(head - 1))) {
      head--;
    }
    if (tail < text.length() && Character.isLowSurrogate(text.charAt(tail))) {
      tail++;
    }
    return text.substring(0, head) + GAP + text.substring(tail);
  }

  private static List<Message> replaced(List<Message> messages, Place at, String text) {
    var changed = new ArrayList<>(messages);
    Message message = messages.get(at.message);
    var parts = new ArrayList<>(message.parts());
    Part part = parts.get(at.part);
    if (part instanceof Part.Text said) {
      parts.set(at.part, said.withText(text));
    } else if (part instanceof Part.ToolResult result
        && result.content().get(at.inner) instanceof Part.Text said) {
      var content = new ArrayList<>(result.content());
      content.set(at.inner, said.withText(text));
      parts.set(
          at.part,
          new Part.ToolResult(
              result.callId(), content, result.form(), result.error(), result.extras(), null));
    }
    changed.set(at.message, message.withParts(parts));
    return List.copyOf(changed);
  }
}
