package io.strowger.core.decode;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.TestRules.problems;
import static io.strowger.core.decode.TestRules.readValid;
import static io.strowger.core.decode.TestRules.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A rule")
class RulesTest {
  private static void accepts(Rule<?> rule, String... given) {
    for (String json : given) {
      assertThat(problems(rule, json)).as(json).isEmpty();
    }
  }

  private static void refuses(Rule<?> rule, String allowed, String... given) {
    for (String json : given) {
      assertThat(problems(rule, json))
          .as(json)
          .containsExactly(allowed + ", was " + Problems.displayText(value(json)));
    }
  }

  @Test
  @DisplayName("for a JSON type accepts only that type")
  void kinds() {
    accepts(Rules.any(), "null", "1", "'x'", "[]", "{}", "true");
    accepts(Rules.string(), "''", "'x'");
    refuses(Rules.string(), "must be a string", "null", "1", "[]");
    accepts(Rules.bool(), "true", "false");
    refuses(Rules.bool(), "must be true or false", "null", "0", "'true'");
    accepts(Rules.object(), "{}");
    refuses(Rules.object(), "must be an object", "null", "[]", "'{}'");
    accepts(Rules.array(), "[]");
    refuses(Rules.array(), "must be an array", "null", "{}");
  }

  @Nested
  @DisplayName("for numbers")
  class Numbers {
    @Test
    @DisplayName("accepts numbers up to both bounds, in any spelling")
    void bounds() {
      accepts(Rules.number(-2, 2), "-2", "2", "-2.0", "2e0", "0.5", "1e-99");
      refuses(
          Rules.number(-2, 2),
          "must be a number from -2 to 2",
          "-2.0000001",
          "2.0000001",
          "'1'",
          "null",
          "1e9999999999");
      refuses(
          Rules.number(new BigDecimal("0.5"), BigDecimal.ONE),
          "must be a number from 0.5 to 1",
          "0.49");
      accepts(Rules.numberAtLeast(0), "0", "-0", "1e300");
      refuses(Rules.numberAtLeast(0), "must be a number of at least 0", "-1e-9", "true");
      accepts(Rules.number(), "-1e300");
      refuses(Rules.number(), "must be a number", "'1'", "1e9999999999");
    }

    @Test
    @DisplayName("accepts whole numbers within their bounds")
    void whole() {
      accepts(Rules.integer(1, 16), "1", "16", "1.0", "1.6e1");
      refuses(Rules.integer(1, 16), "must be a whole number from 1 to 16", "0", "17", "1.5", "'1'");
      accepts(Rules.integerAtLeast(1), "1", "9223372036854775807");
      refuses(
          Rules.integerAtLeast(1),
          "must be a whole number of at least 1",
          "0",
          "9223372036854775808",
          "1e99999999999");
      refuses(Rules.integer(), "must be a whole number", "0.5", "null");
      Rule<String> written = Rules.integer().to(number -> "#" + number);
      assertThat(readValid(written, "-7")).isEqualTo("#-7");
    }
  }

  @Nested
  @DisplayName("for text")
  class Texts {
    @Test
    @DisplayName("counts characters, not UTF-16 units or bytes")
    void characters() {
      String smile = "\uD83D\uDE00";
      Rule<String> rule = Rules.text(2, 3);
      String allowed = "must be a string of 2 to 3 characters";
      accepts(rule, "'ab'", "'abc'", "'" + smile.repeat(3) + "'", "'\\ud83d\\ude00\u20ac'");
      refuses(rule, allowed, "''", "'a'", "'abcd'", "'" + smile + "'", "'" + smile.repeat(4) + "'");
      refuses(rule, allowed, "1", "null");
      refuses(Rules.textUpTo(1), "must be a string of at most 1 character", "'ab'");
      accepts(Rules.textUpTo(1), "''");
      refuses(Rules.text(), "must be a string, not empty", "''", "1");
      refuses(Rules.text(2, Integer.MAX_VALUE), "must be a string of at least 2 characters", "'a'");
      assertThat(readValid(Rules.text(), "'a\\u0062'")).isEqualTo("ab");
    }

    @Test
    @DisplayName("accepts the listed words, and names them in the problem")
    void words() {
      accepts(Rules.wordAmong("a", "b"), "'a'", "'\\u0062'");
      refuses(Rules.wordAmong("a", "b"), "must be one of a, b", "'A'", "''", "1", "null");
      refuses(Rules.wordAmong("a"), "must be a", "'b'");
    }

    @Test
    @DisplayName("accepts text that a pattern matches as a whole")
    void matching() {
      Rule<String> rule = Rules.matching(Pattern.compile("[a-z]{2}"), "must be two letters");
      accepts(rule, "'ab'");
      refuses(rule, "must be two letters", "'abc'", "'a'", "''", "1");
    }
  }

  @Nested
  @DisplayName("for lists")
  class Lists {
    @Test
    @DisplayName("checks every item, and returns the valid ones")
    void items() {
      var problems = new Problems();
      assertThat(
              Rules.list(Rules.integer(0, 9))
                  .read(value("[1,'x',10,2]"), new DecodingContext(problems)))
          .containsExactly(1L, 2L);
      assertThat(TestRules.problemTexts(problems))
          .containsExactly(
              "/1: must be a whole number from 0 to 9, was \"x\"",
              "/2: must be a whole number from 0 to 9, was 10");
      assertThat(problems(Rules.items(Rules.bool()), "[true,1,null]")).hasSize(2);
      assertThat(readValid(Rules.list(Rules.bool()), "[]")).isEmpty();
    }

    @Test
    @DisplayName("checks the number of items first, and then no item of a list that is too long")
    void sizes() {
      for (Rule<?> rule :
          List.of(Rules.list(Rules.bool(), 1, 2), Rules.items(Rules.bool(), 1, 2))) {
        accepts(rule, "[true]", "[true,false]");
        refuses(rule, "must have 1 to 2 items", "[]", "[1,2,3]");
        refuses(rule, "must be an array", "{}");
      }
      refuses(Rules.items(Rules.bool(), 1, Integer.MAX_VALUE), "must have at least 1 item", "[]");
      refuses(Rules.items(Rules.bool(), 0, 1), "must have at most 1 item", "[1,2]");
      refuses(Rules.items(Rules.bool(), 0, 2), "must have at most 2 items", "[1,2,3]");
    }

    @Test
    @DisplayName("checks every value of a map")
    void maps() {
      accepts(Rules.map(Rules.number()), "{}", "{'a':1,'b':2}");
      assertThat(problems(Rules.map(Rules.number()), "{'a/b':'x','b':2}"))
          .containsExactly("/a~1b: must be a number, was \"x\"");
      refuses(Rules.map(Rules.number()), "must be an object", "[]");
    }
  }

  @Nested
  @DisplayName("derived from another")
  class Derived {
    @Test
    @DisplayName("accepts null as an absent value")
    void orNull() {
      var context = new DecodingContext(new Problems());
      assertThat(Rules.bool().orNull().read(Json.NULL, context)).isNull();
      assertThat(Rules.bool().orNull().read(Json.TRUE, context)).isEqualTo(Json.TRUE);
      assertThat(context.problemCount()).isZero();
      refuses(Rules.bool().orNull(), "must be true or false", "1");
    }

    @Test
    @DisplayName("converts a valid value")
    void to() {
      Rule<String> longer = Rules.text().to(text -> text + "d");
      assertThat(readValid(longer, "'abc'")).isEqualTo("abcd");
      refuses(longer, "must be a string, not empty", "''");
      assertThat(readValid(Rules.text().asJson(), "'abc'")).isEqualTo(Json.of("abc"));
    }

    @Test
    @DisplayName("shows no part of a secret value in its problems")
    void secret() {
      assertThat(problems(Rules.text().secret(), "1"))
          .containsExactly("must be a string, not empty");
      Rule<?> inner = members().optional("key", Rules.bool()).asJson().secret();
      assertThat(problems(inner, "{'key':'sk-1'}")).containsExactly("/key: must be true or false");
      var problems = new Problems();
      var context = new DecodingContext(problems);
      Rules.text().secret().read(Json.of(1), context);
      context.reject("must be shown", Json.of("again"));
      assertThat(TestRules.problemTexts(problems)).last().isEqualTo("must be shown, was \"again\"");
    }
  }
}
