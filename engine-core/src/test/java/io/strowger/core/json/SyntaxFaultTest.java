package io.strowger.core.json;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A document that is not JSON")
class SyntaxFaultTest {
  private static void assertFault(String document, String message) {
    assertThatThrownBy(() -> new JacksonCodec().parse(document.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "truee|1, column 5: expected nothing after the end of the document, found 'e'",
        "{a:1}|1, column 2: expected a member name in quotation marks, found 'a'",
        "{'a':1}|1, column 2: expected a member name in quotation marks, found '''",
        "{\"a\":1,}|1, column 8: expected a member name in quotation marks after the comma, found"
            + " '}'",
        "{\"a\":1]|1, column 7: expected ',' or '}', found ']'",
        "[1}|1, column 3: expected ',' or ']', found '}'",
        "[1 2]|1, column 4: expected ',' or ']', found '2'",
        "[1,]|1, column 4: expected a value, found ']'",
        "{\"a\" 1}|1, column 6: expected ':' after the member name, found '1'",
        "{\"a\":sk-secret}|1, column 6: expected a value, found 's'",
        "{\"a\":tru}|1, column 9: expected true, found '}' in it",
        "[01]|1, column 2: a number must not begin with a needless 0",
        "[1.e]|1, column 4: expected a digit, found 'e'",
        "[-x]|1, column 3: expected a digit, found 'x'",
        "[.5]|1, column 2: expected a value, found '.'",
        "NaN|1, column 1: expected a value, found 'N'",
        "[\"\\x\"]|1, column 4: a backslash must not be followed by 'x'",
        "[\"\\u12g4\"]|1, column 7: expected four hexadecimal digits after \\u, found 'g'",
        "[\"ü\", ö]|1, column 7: expected a value, found 'ö'",
        "{\"\\ud83d\":1}|1, column 9: a member name must not have half of a surrogate pair",
        "{\"a\\ud83d]\":1}|1, column 10: a member name must not have half of a surrogate pair",
        "{\"a\\ude00\":1}|1, column 9: a member name must not have half of a surrogate pair",
        "[\"😀\" \"]|1, column 6: expected ',' or ']', found a quotation mark",
      })
  @DisplayName(
      "is refused with the line, the column, what was expected and the one character found there")
  void messages(String document, String message) {
    assertFault(document, "is not JSON at line " + message);
  }

  @Test
  @DisplayName(
      "is refused with the right line, and a string that is not closed on its line is reported as"
          + " such")
  void lines() {
    assertFault(
        "{\r\n  \"a\": [1,\n 2,\n  x] }",
        "is not JSON at line 4, column 3: expected a value, found 'x'");
    assertFault(
        "{\n  \"key\": \"sk-secret,\n  \"b\": 1 }",
        "is not JSON at line 2, column 21: a line break in a string, which may be missing its"
            + " quotation mark");
    assertFault(
        "[\"a\tb\"]",
        "is not JSON at line 1, column 4: a tab in a string, which may be missing its quotation"
            + " mark");
    assertFault(
        "[\u0007]",
        "is not JSON at line 1, column 2: expected a value, found the control character U+0007");
  }

  @Test
  @DisplayName("that ends too early is refused with the object or array that is still open")
  void incomplete() {
    assertFault(
        "{\n \"a\": [1, {\"b\": 2}",
        "ends at line 2, column 19 before it is complete: the array of line 2, column 7 is not"
            + " closed");
    assertFault("\"abc", "ends at line 1, column 5 before it is complete");
    assertFault("tru", "ends at line 1, column 4 before it is complete");
    assertFault("-", "ends at line 1, column 2 before it is complete");
    assertFault(
        "{\"a\"",
        "ends at line 1, column 5 before it is complete: the object of line 1, column 1 is not"
            + " closed");
  }
}
