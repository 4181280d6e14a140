package io.strowger.core.attempt;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether the tool calls of an answer can be executed: each name must be declared by the
 * request, and the arguments must be JSON. One bad call makes the whole answer bad. Whether the
 * arguments fit the tool's schema is not checked. Routing fact sheet, section 10, EX-3.
 *
 * <p>Confined to the thread that reads the answer.
 */
final class ToolCallJudge {
  private static final int MAX_CALLS = 256;
  private static final long MAX_BYTES = 1 << 20; // of arguments; longer ones are not judged

  private final InferenceRequest request;
  private final JsonCodec codec;
  private Map<Integer, Call> calls = Map.of(); // most answers have none
  private long bytes;

  private static final class Call {
    private final StringBuilder arguments = new StringBuilder();
    private @Nullable String name;
  }

  ToolCallJudge(InferenceRequest request, JsonCodec codec) {
    this.request = request;
    this.codec = codec;
  }

  void add(Event.ToolCallDelta piece) {
    Call call = calls.get(piece.index());
    if (call == null) {
      if (calls.size() == MAX_CALLS) {
        return;
      }
      call = new Call();
      calls = calls.isEmpty() ? new HashMap<>() : calls;
      calls.put(piece.index(), call);
    }
    call.name = piece.name() == null ? call.name : piece.name();
    bytes += piece.arguments().utf8Bound();
    if (bytes <= MAX_BYTES) {
      call.arguments.append(piece.arguments().text());
    }
  }

  void add(Answer answer) {
    for (Part part : answer.parts()) {
      if (part instanceof Part.ToolCall call) {
        add(
            new Event.ToolCallDelta(
                calls.size(), call.id(), call.name(), call.arguments().asString(), null));
      }
    }
  }

  /** Returns whether at least one call cannot be executed. */
  boolean hasBadCall() {
    if (calls.isEmpty()) {
      return false;
    }
    Set<String> names = declaredNames();
    for (Call call : calls.values()) {
      boolean isUnknown = names != null && !names.contains(call.name);
      if (isUnknown || bytes <= MAX_BYTES && !isJson(call.arguments.toString())) {
        return true;
      }
    }
    return false;
  }

  /** Returns the declared names; null when only the upstream knows some of them. */
  private @Nullable Set<String> declaredNames() {
    var names = new HashSet<String>();
    for (Tool tool : request.tools()) {
      if (!(tool instanceof Tool.Function function)) {
        return null;
      }
      names.add(function.name());
    }
    return names;
  }

  /**
   * Returns whether arguments are JSON. Blank arguments are accepted, since some upstreams send
   * none.
   */
  private boolean isJson(String text) {
    if (text.isBlank()) {
      return true;
    }
    try {
      Json parsed = codec.parse(text.getBytes(StandardCharsets.UTF_8));
      return parsed != null;
    } catch (JsonCodec.MalformedJsonException notJson) {
      return false;
    }
  }
}
