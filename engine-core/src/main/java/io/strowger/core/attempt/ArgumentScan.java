package io.strowger.core.attempt;

import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scans the arguments of an answer's tool calls, piece by piece, and finds incomplete ones, which
 * end inside a string or with an object or array open. Keeps no text, so its memory depends only on
 * the number of calls, which is bounded. Complete arguments that are not JSON are accepted: they
 * are the model's mistake, which the caller may repair. Calls of tools whose input is free text are
 * not checked.
 *
 * <p>Confined to the thread that reads the answer.
 */
final class ArgumentScan {
  /**
   * The most calls that are scanned, more than a model makes at once; bounded because later stages
   * remember each call.
   */
  private static final int MAX_CALLS = 1_024;

  private final InferenceRequest request;
  private final Map<Integer, Call> calls = new HashMap<>();

  ArgumentScan(InferenceRequest request) {
    this.request = request;
  }

  /**
   * Scans the next piece of a call.
   *
   * @return false when the limit of calls is reached; the piece is not scanned then
   */
  boolean add(Event.ToolCallDelta piece) {
    Call call = calls.get(piece.index());
    if (call == null) {
      if (calls.size() == MAX_CALLS) {
        return false;
      }
      call = new Call();
      calls.put(piece.index(), call);
    }
    String name = piece.name();
    if (name != null) {
      call.name = name;
    }
    call.scan(piece.arguments().text());
    return true;
  }

  /** Returns whether a call of a complete answer has incomplete arguments. */
  static boolean isIncomplete(Answer answer, InferenceRequest request) {
    for (Part part : answer.parts()) {
      if (part instanceof Part.ToolCall toolCall
          && toolCall.arguments() instanceof Arguments.Text arguments
          && requiresJson(toolCall.name(), request)) {
        var call = new Call();
        call.scan(arguments.text());
        if (call.isIncomplete()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a call would have incomplete arguments if the answer ended now. */
  boolean isIncomplete() {
    for (Call call : calls.values()) {
      if (call.isIncomplete() && requiresJson(call.name, request)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the input of a tool is known to be JSON: the input of a function of the request
   * is, and so is the input of any tool if the request has functions only.
   */
  private static boolean requiresJson(@Nullable String name, InferenceRequest request) {
    boolean functionsOnly = true;
    for (Tool tool : request.tools()) {
      if (!(tool instanceof Tool.Function function)) {
        functionsOnly = false;
      } else if (function.name().equals(name)) {
        return true;
      }
    }
    return functionsOnly;
  }

  /** The state of one call. */
  private static final class Call {
    private @Nullable String name;
    private int depth;
    private boolean inString;
    private boolean escaped;

    void scan(String piece) {
      for (int i = 0; i < piece.length(); i++) {
        char c = piece.charAt(i);
        if (escaped) {
          escaped = false;
        } else if (inString) {
          escaped = c == '\\';
          inString = c != '"';
        } else {
          switch (c) {
            case '"' -> inString = true;
            case '{', '[' -> depth++;
            case '}', ']' -> depth--;
            default -> {}
          }
        }
      }
    }

    boolean isIncomplete() {
      return inString || depth > 0;
    }
  }
}
