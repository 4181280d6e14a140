package io.strowger.core.tools;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the loop stops although the model calls more tools: by the caller's conditions or,
 * without any, at the limit of calls. Immutable. Plugins fact sheet, section 12.
 */
final class StopRules {
  /** The default limit of calls, and the highest a request can ask for. */
  static final int MAX_CALLS = 30;

  private static final int NANO_DIGITS = 9;

  private final int maxCalls;
  private final List<Condition> conditions;

  /** One condition of {@code stop_server_tools_when}. */
  @FunctionalInterface
  private interface Condition {
    boolean isMet(Progress progress);
  }

  /**
   * The progress of the loop after the calls of a turn.
   *
   * @param steps the number of calls run so far
   * @param calledTools the tools this turn called, by function name and by type
   * @param tokens the tokens used by all turns so far
   * @param spent the amount the request has spent so far
   * @param finishReasons the finish reasons of this turn, in the words of the contract and of the
   *     upstream
   */
  record Progress(
      int steps, Set<String> calledTools, long tokens, Usd spent, Set<String> finishReasons) {}

  private StopRules(int maxCalls, List<Condition> conditions) {
    this.maxCalls = maxCalls;
    this.conditions = List.copyOf(conditions);
  }

  static StopRules of(InferenceRequest request) {
    Json stopConditions = request.member("stop_server_tools_when");
    var conditions = new ArrayList<Condition>();
    if (stopConditions instanceof Json.Arr list) {
      for (Json item : list) {
        add(item, conditions);
      }
    } else if (stopConditions != null) {
      add(stopConditions, conditions);
    }
    return conditions.isEmpty()
        ? new StopRules(requestedMaxCalls(request.member("max_tool_calls")), conditions)
        : new StopRules(Integer.MAX_VALUE, conditions);
  }

  private static int requestedMaxCalls(@Nullable Json value) {
    long calls = value instanceof Json.Num num ? num.asLong().orElse(MAX_CALLS) : MAX_CALLS;
    return Math.clamp(calls, 1, MAX_CALLS);
  }

  private static void add(Json item, List<Condition> conditions) {
    if (item instanceof Json.Obj condition) {
      Condition parsedCondition = condition(condition);
      if (parsedCondition != null) {
        conditions.add(parsedCondition);
      }
    }
  }

  private static @Nullable Condition condition(Json.Obj json) {
    String type = json.text("type");
    return switch (type == null ? "" : type) {
      case "step_count_is" -> {
        long steps = json.longValue("step_count", MAX_CALLS);
        yield progress -> progress.steps() >= steps;
      }
      case "has_tool_call" -> {
        String name = json.text("tool_name");
        yield progress -> name != null && progress.calledTools().contains(name);
      }
      case "max_tokens_used" -> {
        long tokens = json.longValue("max_tokens", Long.MAX_VALUE);
        yield progress -> progress.tokens() > tokens;
      }
      case "max_cost" -> {
        BigDecimal maxCost =
            json.get("max_cost_in_dollars") instanceof Json.Num n ? n.decimal() : null;
        // compared as decimals: converting 1e999999999 to nanodollars would take forever
        yield progress ->
            maxCost != null
                && BigDecimal.valueOf(progress.spent().nanos(), NANO_DIGITS).compareTo(maxCost) > 0;
      }
      case "finish_reason_is" -> {
        String reason = json.text("reason");
        yield progress -> reason != null && progress.finishReasons().contains(reason);
      }
      default -> null; // the decoder rejects all others
    };
  }

  /** Returns the most calls that are run. */
  int maxCalls() {
    return maxCalls;
  }

  /** Returns whether one more call may be run. */
  boolean allowsCall(int steps) {
    return steps < maxCalls;
  }

  /** Returns whether no more calls are run, so that the model answers with what it has. */
  boolean isMet(Progress progress) {
    if (conditions.isEmpty()) {
      return progress.steps() >= maxCalls;
    }
    return conditions.stream().anyMatch(condition -> condition.isMet(progress));
  }
}
