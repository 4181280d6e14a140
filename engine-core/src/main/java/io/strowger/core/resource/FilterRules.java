package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a destination gets. Resources fact sheet, section 5; open question 74: one group
 * that holds is enough, and without groups everything goes.
 *
 * @param enabled false: everything goes
 */
public record FilterRules(boolean enabled, List<Group> groups) {
  /** What a rule may look at. */
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

  /**
   * Rules that hold together, or of which one has to.
   *
   * @param all true: every rule has to hold
   */
  public record Group(boolean all, List<Rule> rules) {
    public Group {
      rules = List.copyOf(rules);
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
  }

  /** How a field is tested. Text is compared by case. */
  public enum Operator {
    EQUALS,
    NOT_EQUALS,
    CONTAINS,
    NOT_CONTAINS,
    /** Some of the field matches. */
    REGEX,
    STARTS_WITH,
    ENDS_WITH,
    GT,
    LT,
    GTE,
    LTE,
    EXISTS,
    NOT_EXISTS;

    /** As the contract spells them. */
    public static final List<String> WORDS = Stream.of(values()).map(Operator::word).toList();

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Operator of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
