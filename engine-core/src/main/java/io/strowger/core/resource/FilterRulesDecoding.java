package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.resource.ResourceRules.FLAG;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.guardrail.FilterPattern;
import io.strowger.core.resource.FilterRules.Operator;
import io.strowger.spi.json.Json;
import java.util.List;
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

  private static final Rule<FilterRules.Rule> SINGLE_RULE =
      MemberTable.<RuleDraft>table()
          .required("field", wordAmong(FilterRules.FIELDS), (draft, field) -> draft.field = field)
          .required(
              "operator",
              wordAmong(Operator.WIRE_NAMES).to(Operator::of, "must be an operator"),
              (draft, operator) -> draft.operator = operator)
          .optional("value", VALUE, (draft, value) -> draft.value = value)
          .build()
          .as(RuleDraft::new, RuleDraft::finish);

  private static final Rule<FilterRules.Group> GROUP =
      MemberTable.<GroupDraft>table()
          .optional(
              "logic",
              wordAmong("and", "or"),
              (draft, word) -> draft.requiresAll = word.equals("and"))
          .required(
              "rules", list(FilterRulesDecoding::readRule), (draft, rules) -> draft.rules = rules)
          .build()
          .as(GroupDraft::new, GroupDraft::finish);

  static final Rule<FilterRules> FILTER_RULES =
      MemberTable.<RulesDraft>table()
          .optional("enabled", FLAG, (draft, flag) -> draft.enabled = flag)
          .required("groups", list(GROUP), (draft, groups) -> draft.groups = groups)
          .build()
          .as(RulesDraft::new, RulesDraft::finish);

  private FilterRulesDecoding() {}

  /** Reads a rule and checks that its operator can compare with its value. */
  private static FilterRules.@Nullable Rule readRule(Json json, DecodingContext context) {
    FilterRules.Rule rule = SINGLE_RULE.read(json, context);
    if (rule == null) {
      return null;
    }
    Json value = rule.value();
    switch (rule.operator()) {
      case EXISTS, NOT_EXISTS -> {}
      case GT, LT, GTE, LTE -> requireValid(context, value, isNumber(value), "must be a number");
      case REGEX ->
          requireValid(
              context,
              value,
              value instanceof Json.Str str && isRegex(str.text()),
              "must be a regular expression of RE2 syntax, at most 1000 characters");
      case EQUALS, NOT_EQUALS, CONTAINS, NOT_CONTAINS, STARTS_WITH, ENDS_WITH ->
          requireValid(context, value, true, "");
    }
    return rule;
  }

  private static void requireValid(
      DecodingContext context, @Nullable Json value, boolean isValid, String allowed) {
    if (value == null) {
      context.rejectMissing("value");
    } else if (!isValid) {
      context.reject("value", allowed, value);
    }
  }

  /** Returns whether a value is a number, or a text that is one, as a form may send it. */
  private static boolean isNumber(@Nullable Json value) {
    return value instanceof Json.Num
        || value instanceof Json.Str str && DECIMAL.matcher(str.text()).matches();
  }

  /** Returns whether a text is a pattern that is matched in linear time and with little memory. */
  private static boolean isRegex(String text) {
    return text.length() <= REGEX_CHARS && FilterPattern.problem(text) == null;
  }

  private static final class RuleDraft {
    private String field = "";
    private Operator operator = Operator.EXISTS;
    private @Nullable Json value;

    FilterRules.Rule finish() {
      return new FilterRules.Rule(field, operator, value == null ? null : value.detached());
    }
  }

  private static final class GroupDraft {
    private boolean requiresAll = true;
    private List<FilterRules.Rule> rules = List.of();

    FilterRules.Group finish() {
      return new FilterRules.Group(requiresAll, rules);
    }
  }

  private static final class RulesDraft {
    private boolean enabled = true;
    private List<FilterRules.Group> groups = List.of();

    FilterRules finish() {
      return new FilterRules(enabled, groups);
    }
  }
}
