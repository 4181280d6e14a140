package io.strowger.core.decode;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Words for the tests of rules. */
public final class RuleWords {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private RuleWords() {}

  /** Any JSON, with single quotes for double ones. */
  public static Json value(String text) {
    try {
      return CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** What a rule finds wrong, in the words of the error message. */
  public static List<String> problems(Rule<?> rule, Json given) {
    var problems = new Problems();
    rule.read(given, new DecodingContext(problems));
    return said(problems);
  }

  public static List<String> problems(Rule<?> rule, String given) {
    return problems(rule, value(given));
  }

  /** What a rule makes of something good. */
  public static <T> T good(Rule<T> rule, String given) {
    var problems = new Problems();
    @Nullable T read = rule.read(value(given), new DecodingContext(problems));
    problems.throwIfAny();
    return Objects.requireNonNull(read);
  }

  public static List<String> said(Problems problems) {
    return problems.list().stream().map(Problem::toString).toList();
  }
}
