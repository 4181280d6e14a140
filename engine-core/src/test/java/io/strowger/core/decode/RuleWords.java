package io.strowger.core.decode;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies rules to JSON text in tests. */
public final class RuleWords {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private RuleWords() {}

  /** Parses JSON text after replacing single quotes by double quotes. */
  public static Json value(String text) {
    try {
      return CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** Returns the problems that a rule finds in a value, as texts. */
  public static List<String> problems(Rule<?> rule, Json given) {
    var problems = new Problems();
    rule.read(given, new DecodingContext(problems));
    return said(problems);
  }

  public static List<String> problems(Rule<?> rule, String given) {
    return problems(rule, value(given));
  }

  /** Returns what a rule reads from a valid value. */
  public static <T> T good(Rule<T> rule, String given) {
    var problems = new Problems();
    @Nullable T read = rule.read(value(given), new DecodingContext(problems));
    problems.throwIfAny();
    return Objects.requireNonNull(read);
  }

  /** Returns problems as texts. */
  public static List<String> said(Problems problems) {
    return problems.list().stream().map(Problem::toString).toList();
  }
}
