package io.strowger.plugins.responsehealing;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.plugins.responsehealing.JsonRepair.ExpectedType;
import io.strowger.tck.conformance.Proves;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Repairing JSON")
class JsonRepairTest {
  /** Replaces each ~ by a line break. */
  private static String lines(String text) {
    return text.replace('~', '\n');
  }

  private static @Nullable String repaired(String text) {
    return JsonRepair.repairInvalid(lines(text), ExpectedType.OBJECT);
  }

  @Proves("plugins.other.healing.repairs")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "missing closing bracket | {\"name\": \"Alice\", \"age\": 30 |"
            + " {\"name\":\"Alice\",\"age\":30}",
        "fenced JSON | ```json~{\"a\": 1}~``` | {\"a\":1}",
        "prose before | text:~{\"a\":1} | {\"a\":1}",
        "trailing comma | {\"a\":1,} | {\"a\":1}",
        "unquoted name | {a: \"b\"} | {\"a\":\"b\"}",
        "prose behind | {\"a\":1}~Is there anything else? | {\"a\":1}",
        "prose around | Sure! {\"a\":1} Glad to help. | {\"a\":1}",
        "no bracket, then prose | {\"a\":1~I hope this helps. | {\"a\":1}",
        "fence not closed | ```~{\"a\":1} | {\"a\":1}",
        "fence and no bracket | ```json~{\"a\": [1, 2~``` | {\"a\":[1,2]}",
        "fence, no quote | ```json~{\"a\": \"x~``` | {\"a\":\"x\\n\"}",
        "no brackets | {\"a\":{\"b\":[1,{\"c\":2 | {\"a\":{\"b\":[1,{\"c\":2}]}}",
        "a bracket within | {\"a\":[1,2} | {\"a\":[1,2]}",
        "a bracket of an item | [{\"a\":1] | [{\"a\":1}]",
        "a bracket too many | {\"a\":1}} | {\"a\":1}",
        "a wrong bracket | {\"a\":1],\"b\":2} | {\"a\":1,\"b\":2}",
        "no quote at the end | {\"a\":\"x | {\"a\":\"x\"}",
        "no quote in between | {\"a\":\"x, \"b\":1} | {\"a\":\"x\",\"b\":1}",
        "no quote on a line | {\"a\": \"x,~ \"b\": 1} | {\"a\":\"x\",\"b\":1}",
        "name broken off | {\"a\":1,\"ag | {\"a\":1}",
        "value broken off | {\"a\":1,\"b\": | {\"a\":1,\"b\":null}",
        "value missing | {\"a\":,\"b\":1} | {\"a\":null,\"b\":1}",
        "literal broken off | {\"a\":tr | {\"a\":true}",
        "number broken off | {\"a\":1.5e | {\"a\":1.5}",
        "escape broken off | {\"a\":\"x\\ | {\"a\":\"x\"}",
        "trailing commas | {\"a\":[1,2,],\"b\":{\"c\":1,},} | {\"a\":[1,2],\"b\":{\"c\":1}}",
        "unquoted names | {a_1: 1, $b: 2, c-d: 3, 4: 5} | {\"a_1\":1,\"$b\":2,\"c-d\":3,\"4\":5}",
        "unquoted value | {\"a\": red, \"b\": two words} | {\"a\":\"red\",\"b\":\"two words\"}",
        "unquoted day | {\"a\": [2026-11-21]} | {\"a\":[\"2026-11-21\"]}",
        "single quotes | {'a': 'it's \"x\"', 'b': ['c']} | {\"a\":\"it's"
            + " \\\"x\\\"\",\"b\":[\"c\"]}",
        "escaped single quote | {'a': 'it\\'s'} | {\"a\":\"it's\"}",
        "typeset quotes | {\u201ca\u201d: \u201cb\u201d} | {\"a\":\"b\"}",
        "literals of Python | {'a': True, 'b': False, 'c': None} |"
            + " {\"a\":true,\"b\":false,\"c\":null}",
        "no numbers | {\"a\": NaN, \"b\": -Infinity} | {\"a\":null,\"b\":null}",
        "odd numbers | {\"a\": [+1, .5, 1., 1_000]} | {\"a\":[1,0.5,1,1000]}",
        "comments | {\"a\":1, // one~ /* two */ \"b\":2 # three~} | {\"a\":1,\"b\":2}",
        "dots | {\"a\":[1, 2, ...]} | {\"a\":[1,2]}",
        "missing commas | {\"a\":1 \"b\":[1 2 \"x\" \"y\" true]~\"c\":\"z\" \"d\":{}} |"
            + " {\"a\":1,\"b\":[1,2,\"x\",\"y\",true],\"c\":\"z\",\"d\":{}}",
        "raw line break | {\"a\":\"one~two\"} | {\"a\":\"one\\ntwo\"}",
        "quotes within | {\"a\":\"he said \"hi\" to me\"} | {\"a\":\"he said \\\"hi\\\" to me\"}",
        "a wrong escape | {\"a\":\"C:\\dir \\u12 \\u00e9\"} |"
            + " {\"a\":\"C:\\\\dir \\\\u12 \\u00e9\"}",
        "an array where an object is wanted | [1,2,] | [1,2]",
        "a code fence within | Run {\"code\":\"~x~\"} now | {\"code\":\"\\nx\\n\"}",
      })
  void repairs(String what, String given, String json) {
    assertThat(JsonSyntax.isValid(lines(given))).as("the text is not JSON before").isFalse();
    assertThat(repaired(given)).isEqualTo(json);
    assertThat(JsonSyntax.isValid(json)).isTrue();
  }

  @Test
  @DisplayName("escapes control characters in a string, and drops a byte order mark")
  void controls() {
    assertThat(JsonRepair.repairInvalid("\ufeff{\"a\":\"\u0001\t\r\"}", ExpectedType.ANY))
        .isEqualTo("{\"a\":\"\\u0001\\t\\r\"}");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "the largest | {\"a\":1} or rather {\"a\":1,\"b\":2} | {\"a\":1,\"b\":2}",
        "the first of equals | {\"a\":1} or {\"a\":2} | {\"a\":1}",
        "the fenced | {\"a\":\"some text\"} gives~```json~{\"a\":1}~``` | {\"a\":1}",
        "the closed | {\"a\":1} or {\"a\":1,\"b\":2 | {\"a\":1}",
        "the object | [1,2,3,4,5,6,7] means {\"a\":1} | {\"a\":1}",
        "behind brackets of a sentence | As [asked] for f(x) { return }: {\"a\":1,} | {\"a\":1}",
      })
  @DisplayName("chooses among several values")
  void several(String what, String given, String json) {
    assertThat(repaired(given)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "There is nothing to be found.",
        "{see above} and [as said]",
        "{",
        "[[[",
        "{\"a\":\"he said \"hi\", then left\",\"b\":{\"c\":2}}",
        "{\"a\":1},\"b\":{\"c\":2}}",
        "\"a\":{\"b\":1}}",
        "{\"a\":[1,2},\"b\":3]}",
        "the numbers [1,2,3,]",
        "{\"a\": 12 Main Street, \"b\":1}",
      })
  @DisplayName("gives up if it is unclear what was meant, or something would be lost")
  void givesUp(String given) {
    assertThat(repaired(given)).isNull();
  }

  @Test
  @DisplayName("finds a number or a string in a fence when no object is expected")
  void scalars() {
    assertThat(JsonRepair.repairInvalid("```json\n42\n```", ExpectedType.ANY)).isEqualTo("42");
    assertThat(JsonRepair.repairInvalid("It is\n```\n\"x\"\n```", ExpectedType.ANY))
        .isEqualTo("\"x\"");
    assertThat(JsonRepair.repairInvalid("```json\n42\n```\nHope this helps!", ExpectedType.ANY))
        .isEqualTo("42");
    assertThat(JsonRepair.repairInvalid("```\nx\n```", ExpectedType.ANY)).isNull();
  }

  @Test
  @DisplayName("gives up on a text that is nested too deeply")
  void deep() {
    assertThat(JsonRepair.repairInvalid("[".repeat(1_000_000) + "1", ExpectedType.ANY)).isNull();
    assertThat(JsonRepair.repairInvalid("{\"a\":".repeat(1_000_000), ExpectedType.ANY)).isNull();
    String allowed = "[".repeat(500) + "1";
    assertThat(JsonRepair.repairInvalid(allowed, ExpectedType.ANY))
        .isEqualTo(allowed + "]".repeat(500));
  }
}
