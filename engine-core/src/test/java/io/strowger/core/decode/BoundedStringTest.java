package io.strowger.core.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A string with a limited number of characters")
class BoundedStringTest {
  private static List<String> problems(Rule<?> rule, Json given) {
    var problems = new Problems();
    boolean isValid = rule.read(given, new DecodingContext(problems)) != null;
    assertThat(isValid).isEqualTo(problems.isEmpty());
    return problems.list().stream().map(Problem::toString).toList();
  }

  private static Json parsed(String json) throws MalformedJsonException {
    return new JacksonCodec().parse(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @DisplayName("may have the minimum and the maximum, but not one less or more")
  void bounds() {
    Rule<Json.Str> rule = Rules.string(2, 3);
    assertThat(problems(rule, Json.of("ab"))).isEmpty();
    assertThat(problems(rule, Json.of("abc"))).isEmpty();
    assertThat(problems(rule, Json.of("a")))
        .containsExactly("must be a string of 2 to 3 characters, was \"a\"");
    assertThat(problems(rule, Json.of("abcd")))
        .containsExactly("must be a string of 2 to 3 characters, was \"abcd\"");
    assertThat(problems(rule, Json.NULL))
        .containsExactly("must be a string of 2 to 3 characters, was null");
  }

  @Test
  @DisplayName("is counted in characters, not in bytes, escapes or surrogates")
  void characters() throws MalformedJsonException {
    Rule<Json.Str> rule = Rules.string(1, 2);
    assertThat(problems(rule, parsed("\"\\u0061\\u0062\""))).isEmpty();
    assertThat(problems(rule, parsed("\"\uD83D\uDE00\uD83D\uDE00\""))).isEmpty();
    assertThat(problems(rule, parsed("\"\uD83D\uDE00\uD83D\uDE00x\""))).hasSize(1);
    assertThat(problems(rule, parsed("\"\""))).hasSize(1);
  }

  @Test
  @DisplayName("is returned unchanged, or as its text")
  void forms() throws MalformedJsonException {
    Json given = parsed("\"ab\"");
    var context = new DecodingContext(new Problems());
    assertThat(Rules.string(1, 2).read(given, context)).isSameAs(given);
    assertThat(Rules.text(1, 2).read(given, context)).isEqualTo("ab");
    assertThat(problems(Rules.text(1, 1), given))
        .containsExactly("must be a string of exactly 1 character, was \"ab\"");
  }
}
