package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the requests that are sent to a destination: those that match at least one group, or
 * every request when there are no groups. Resources fact sheet, section 5; open question 74.
 *
 * @param enabled false to send every request
 */
public record FilterRules(boolean enabled, List<Group> groups) {
  /** The fields that a rule may test. */
  public static final List<String> FIELDS =
      List.of(
          "model",
          "provider",
          "session_id",
          "user_id",
          "api_key_name",
          "finish_reason",
          "input",
          "output",
          "total_cost",
          "total_tokens",
          "prompt_tokens",
          "completion_tokens");

  public FilterRules {
    groups = List.copyOf(groups);
  }

  /** Returns the rules in the form of the contract. */
  public Json.Obj json() {
    return Json.object()
        .put("enabled", enabled)
        .put("groups", Json.array(groups.stream().map(Group::json).toList()))
        .build();
  }

  /**
   * Reads valid rules; absent members have the defaults of the contract.
   *
   * @throws IllegalArgumentException when an operator is unknown
   */
  public static FilterRules read(Json.Obj json) {
    var groups = new ArrayList<Group>();
    for (Json.Obj group : objects(json.list("groups"))) {
      var rules = new ArrayList<Rule>();
      for (Json.Obj rule : objects(group.list("rules"))) {
        rules.add(
            new Rule(
                Objects.requireNonNullElse(rule.text("field"), ""),
                Operator.of(Objects.requireNonNullElse(rule.text("operator"), "")),
                rule.get("value")));
      }
      groups.add(new Group(!"or".equals(group.text("logic")), rules));
    }
    return new FilterRules(!Json.FALSE.equals(json.get("enabled")), groups);
  }

  private static List<Json.Obj> objects(Json.@Nullable Arr list) {
    var objects = new ArrayList<Json.Obj>();
    for (int i = 0; list != null && i < list.size(); i++) {
      if (list.get(i) instanceof Json.Obj object) {
        objects.add(object);
      }
    }
    return objects;
  }

  /**
   * A group of rules, all or at least one of which must match.
   *
   * @param requiresAll true when every rule must match, false when one is enough
   */
  public record Group(boolean requiresAll, List<Rule> rules) {
    public Group {
      rules = List.copyOf(rules);
    }

    private Json.Obj json() {
      return Json.object()
          .put("logic", requiresAll ? "and" : "or")
          .put("rules", Json.array(rules.stream().map(Rule::json).toList()))
          .build();
    }
  }

  /**
   * One test of one field.
   *
   * @param field one of {@link #FIELDS}
   * @param value a string or a number; null when the operator needs none
   */
  public record Rule(String field, Operator operator, @Nullable Json value) {
    public Rule {
      Objects.requireNonNull(field, "field");
      Objects.requireNonNull(operator, "operator");
    }

    private Json.Obj json() {
      Json.Obj rule =
          Json.object().put("field", field).put("operator", operator.wireName()).build();
      return value == null ? rule : rule.with("value", value);
    }
  }

  /** How a field is tested. Comparison of text is case-sensitive. */
  public enum Operator {
    EQUALS,
    NOT_EQUALS,
    CONTAINS,
    NOT_CONTAINS,
    /** A part of the field matches. */
    REGEX,
    STARTS_WITH,
    ENDS_WITH,
    GT,
    LT,
    GTE,
    LTE,
    EXISTS,
    NOT_EXISTS;

    /** The operators as the contract spells them. */
    public static final List<String> WIRE_NAMES =
        Stream.of(values()).map(Operator::wireName).toList();

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Operator of(String wireName) {
      return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
  }
}
