package io.strowger.core.resource;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.guardrail.FilterPattern;
import io.strowger.core.resource.FilterRules.Operator;
import io.strowger.spi.json.Json;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decodes {@code filter_rules}. Resources fact sheet, section 5; open question 74. */
final class FilterRulesDecoding {
  private static final int REGEX_CHARS = 1000;

  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,30}(?:\\.[0-9]{1,30})?");

  private static final Rule<Json> VALUE =
      ByJsonType.<Json>of("must be a string or a number")
          .string(Rules.any())
          .number(Rules.number().asJson());

  private static final Rule<Json.Obj> SINGLE_RULE =
      members()
          .required("field", wordAmong(FilterRules.FIELDS))
          .required("operator", wordAmong(Operator.WIRE_NAMES))
          .optional("value", VALUE)
          .as(rule -> rule); // null when a member is wrong: readRule needs a valid operator

  private static final Rule<Json.Obj> GROUP =
      members()
          .optional("logic", wordAmong("and", "or"))
          .required("rules", items(FilterRulesDecoding::readRule))
          .asJson(); // kept when a member is wrong, as nothing reads it then

  static final Rule<FilterRules> FILTER_RULES =
      members()
          .optional("enabled", bool())
          .required("groups", items(GROUP))
          .as(rules -> FilterRules.read(rules.detached()));

  private FilterRulesDecoding() {}

  /** Reads a rule and checks that its operator can compare with its value. */
  private static Json.@Nullable Obj readRule(Json json, DecodingContext context) {
    Json.Obj rule = SINGLE_RULE.read(json, context);
    if (rule == null) {
      return null;
    }
    Json value = rule.get("value");
    switch (Operator.of(RequiredMember.text(rule, "operator"))) {
      case EXISTS, NOT_EXISTS -> {}
      case GT, LT, GTE, LTE -> requireValid(context, value, FilterRulesDecoding::numberProblem);
      case REGEX -> requireValid(context, value, FilterRulesDecoding::regexProblem);
      case EQUALS, NOT_EQUALS, CONTAINS, NOT_CONTAINS, STARTS_WITH, ENDS_WITH ->
          requirePresent(context, value);
    }
    return rule;
  }

  /**
   * Rejects a value that is missing or has a problem.
   *
   * @param problemOf returns what is wrong with a value, as a phrase that follows its JSON pointer;
   *     null when it is valid
   */
  private static void requireValid(
      DecodingContext context, @Nullable Json value, Function<Json, @Nullable String> problemOf) {
    if (value == null) {
      context.rejectMissing("value");
      return;
    }
    String problem = problemOf.apply(value);
    if (problem != null) {
      context.reject("value", problem, value);
    }
  }

  private static void requirePresent(DecodingContext context, @Nullable Json value) {
    if (value == null) {
      context.rejectMissing("value");
    }
  }

  /** Allows a number, and a text that is one, as a form may send it. */
  private static @Nullable String numberProblem(Json value) {
    return value instanceof Json.Num
            || value instanceof Json.Str str && DECIMAL.matcher(str.text()).matches()
        ? null
        : "must be a number";
  }

  /** Allows a pattern that is matched in linear time and with little memory. */
  private static @Nullable String regexProblem(Json value) {
    if (!(value instanceof Json.Str str)) {
      return "must be a regular expression";
    }
    String pattern = str.text();
    return pattern.isEmpty() || pattern.length() > REGEX_CHARS
        ? "must be a regular expression of 1 to " + REGEX_CHARS + " characters"
        : FilterPattern.syntaxProblem(pattern);
  }
}
