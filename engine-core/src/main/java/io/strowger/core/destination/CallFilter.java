package io.strowger.core.destination;

import com.google.re2j.Pattern;
import io.strowger.core.resource.FilterRules;
import io.strowger.core.resource.FilterRules.Operator;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which calls the filter rules of a destination let through. Immutable, safe on any thread.
 * Resources fact sheet, section 5; open question 74: one group that matches is enough, and without
 * groups all calls pass.
 *
 * <p>Text is case-sensitive, a pattern may match anywhere and takes time linear in the text, and
 * numbers are compared as numbers, even if the rule gives them as text. For a field that a call
 * does not have, only {@code not_exists}, {@code not_equals} and {@code not_contains} hold. Rules
 * see the whole call, however little of it the destination receives.
 */
final class CallFilter {
  /** The result for values that cannot be compared; none of -1, 0 and 1. */
  private static final int NOT_COMPARABLE = -2;

  private static final CallFilter ALLOW_ALL = new CallFilter(List.of(), false);

  private final List<Group> groups;
  private final boolean readsContent;

  private record Group(boolean requiresAll, List<Condition> conditions) {
    boolean matches(TracedCall call) {
      for (Condition condition : conditions) {
        if (condition.matches(call) != requiresAll) {
          return !requiresAll;
        }
      }
      return requiresAll || conditions.isEmpty();
    }
  }

  /** One rule, with its value in the form it is compared in. */
  private record Condition(
      String field,
      Operator operator,
      String text,
      @Nullable BigDecimal number,
      @Nullable Pattern pattern) {
    static Condition of(FilterRules.Rule rule) {
      Json value = rule.value();
      String text =
          value instanceof Json.Str str
              ? str.text()
              : value instanceof Json.Num num ? num.spelling() : "";
      Pattern pattern = rule.operator() == Operator.REGEX ? Pattern.compile(text) : null;
      return new Condition(rule.field(), rule.operator(), text, parseNumber(text), pattern);
    }

    boolean matches(TracedCall call) {
      String value = fieldValue(field, call);
      if (value == null) {
        return switch (operator) {
          case NOT_EXISTS, NOT_EQUALS, NOT_CONTAINS -> true;
          case EQUALS, CONTAINS, REGEX, STARTS_WITH, ENDS_WITH, GT, LT, GTE, LTE, EXISTS -> false;
        };
      }
      return switch (operator) {
        case EXISTS -> true;
        case NOT_EXISTS -> false;
        case EQUALS -> isEqual(value);
        case NOT_EQUALS -> !isEqual(value);
        case CONTAINS -> value.contains(text);
        case NOT_CONTAINS -> !value.contains(text);
        case REGEX -> pattern != null && pattern.matcher(value).find();
        case STARTS_WITH -> value.startsWith(text);
        case ENDS_WITH -> value.endsWith(text);
        case GT -> compared(value) > 0;
        case LT -> compared(value) == -1;
        case GTE -> compared(value) >= 0;
        case LTE -> compared(value) == -1 || compared(value) == 0;
      };
    }

    private boolean isEqual(String value) {
      return isNumeric(field) && number != null ? compared(value) == 0 : value.equals(text);
    }

    /** Returns -1, 0 or 1; {@link #NOT_COMPARABLE} when one of the two is not a number. */
    private int compared(String value) {
      BigDecimal callNumber = parseNumber(value);
      return callNumber == null || number == null ? NOT_COMPARABLE : callNumber.compareTo(number);
    }
  }

  private CallFilter(List<Group> groups, boolean readsContent) {
    this.groups = List.copyOf(groups);
    this.readsContent = readsContent;
  }

  /**
   * Returns the filter for these rules.
   *
   * @param rules the filter rules; null to let all calls pass
   */
  static CallFilter of(@Nullable FilterRules rules) {
    if (rules == null || !rules.enabled() || rules.groups().isEmpty()) {
      return ALLOW_ALL;
    }
    var groups = new ArrayList<Group>();
    boolean readsContent = false;
    for (FilterRules.Group group : rules.groups()) {
      groups.add(
          new Group(group.requiresAll(), group.rules().stream().map(Condition::of).toList()));
      readsContent |=
          group.rules().stream()
              .anyMatch(rule -> rule.field().equals("input") || rule.field().equals("output"));
    }
    return new CallFilter(groups, readsContent);
  }

  /** Returns whether a rule reads the content of calls. */
  boolean readsContent() {
    return readsContent;
  }

  boolean matches(TracedCall call) {
    if (groups.isEmpty()) {
      return true;
    }
    for (Group group : groups) {
      if (group.matches(call)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a field of a call as text; null when the call has none. */
  private static @Nullable String fieldValue(String field, TracedCall call) {
    CallTrace trace = call.trace();
    CallTrace.Identity identity = trace.details().identity();
    Usd cost = trace.cost();
    return switch (field) {
      case "model" -> orNull(trace.model().id());
      case "provider" -> trace.model().provider();
      case "session_id" -> trace.sender().session();
      case "user_id" -> trace.sender().user();
      case "api_key_name" -> identity == null ? null : identity.keyName();
      case "finish_reason" -> trace.result().finishReason();
      case "input" -> orNull(call.input());
      case "output" -> orNull(call.output());
      case "total_cost" -> cost == null ? null : cost.dollars().toPlainString();
      case "total_tokens" ->
          Long.toString(trace.usage().promptTokens() + trace.usage().completionTokens());
      case "prompt_tokens" -> Long.toString(trace.usage().promptTokens());
      case "completion_tokens" -> Long.toString(trace.usage().completionTokens());
      default -> null;
    };
  }

  private static boolean isNumeric(String field) {
    return field.startsWith("total_") || field.endsWith("_tokens");
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable BigDecimal parseNumber(String text) {
    if (text.isEmpty() || text.length() > 100) {
      return null;
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
