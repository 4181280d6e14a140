package io.strowger.core.decode;

import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies rules to JSON text in tests. */
public final class TestRules {
  private TestRules() {}

  /** Parses JSON text after replacing single quotes by double quotes. */
  public static Json value(String text) {
    return TestJson.of(text);
  }

  /** Returns the problems that a rule finds in a value, as texts. */
  public static List<String> problems(Rule<?> rule, Json given) {
    var problems = new Problems();
    rule.read(given, new DecodingContext(problems));
    return problemTexts(problems);
  }

  public static List<String> problems(Rule<?> rule, String given) {
    return problems(rule, value(given));
  }

  /** Returns what a rule reads from a valid value. */
  public static <T> T readValid(Rule<T> rule, String given) {
    var problems = new Problems();
    @Nullable T read = rule.read(value(given), new DecodingContext(problems));
    problems.throwIfAny();
    return Objects.requireNonNull(read);
  }

  /** Returns problems as texts. */
  public static List<String> problemTexts(Problems problems) {
    return problems.list().stream().map(Problem::toString).toList();
  }
}
