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
 * Looks at the arguments of an answer's tool calls, piece by piece, for whether some of them end in
 * the middle: in a string, or with an object or list open. Keeps no text, so the length of
 * arguments does not matter; their number does, so it is bounded. Arguments that are whole and yet
 * no JSON are the model's mistake, which the caller may repair; calls of tools whose input is free
 * text are not looked at.
 *
 * <p>For the thread that reads the answer.
 */
final class ArgumentScan {
  /** No model calls so many tools at once; every stage behind remembers each call. */
  private static final int MAX_CALLS = 1_024;

  private final InferenceRequest request;
  private final Map<Integer, Call> calls = new HashMap<>();

  ArgumentScan(InferenceRequest request) {
    this.request = request;
  }

  /**
   * Looks at the next piece of a call.
   *
   * @return false when it is of one call too many, which is not looked at
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

  /** Whether a call of a whole answer is cut. */
  static boolean isCut(Answer answer, InferenceRequest request) {
    for (Part part : answer.parts()) {
      if (part instanceof Part.ToolCall made
          && made.arguments() instanceof Arguments.Text written
          && takesJson(made.name(), request)) {
        var call = new Call();
        call.scan(written.text());
        if (call.isCut()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a call is cut, if the answer is over. */
  boolean isCut() {
    for (Call call : calls.values()) {
      if (call.isCut() && takesJson(call.name, request)) {
        return true;
      }
    }
    return false;
  }

  /** Functions do; what tools of other types take only their upstream knows. */
  private static boolean takesJson(@Nullable String name, InferenceRequest request) {
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

  /** One call. */
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

    boolean isCut() {
      return inString || depth > 0;
    }
  }
}
