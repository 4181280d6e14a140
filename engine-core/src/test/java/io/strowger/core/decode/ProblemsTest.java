package io.strowger.core.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The problems of a request")
class ProblemsTest {
  private static final JsonPointer TEMPERATURE = JsonPointer.ROOT.child("temperature");

  @Test
  @DisplayName("have the pointer, the rule and the value in the message")
  void sentence() {
    var problems = new Problems();
    problems.add(TEMPERATURE, "must be 0 to 2", Json.of("high"));
    problems.addMissing(JsonPointer.ROOT.child("messages"));
    assertThatThrownBy(problems::throwIfAny)
        .isInstanceOfSatisfying(
            GatewayException.class,
            thrown -> {
              assertThat(thrown.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
              assertThat(thrown.error().message())
                  .isEqualTo(
                      "Invalid request parameters: /temperature: must be 0 to 2, was \"high\";"
                          + " /messages: is required");
            });
  }

  @Test
  @DisplayName("throw nothing if there are none")
  void none() {
    assertThatCode(() -> new Problems().throwIfAny()).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("are thrown instead of returning the decoded value")
  void requireValid() {
    var problems = new Problems();
    assertThat(problems.requireValid("read")).isEqualTo("read");
    assertThatThrownBy(() -> problems.<String>requireValid(null))
        .isInstanceOf(NullPointerException.class);
    problems.addMissing(TEMPERATURE);
    assertThatThrownBy(() -> problems.requireValid("read")).isInstanceOf(GatewayException.class);
    assertThatThrownBy(() -> problems.<String>requireValid(null))
        .isInstanceOf(GatewayException.class);
  }

  @Test
  @DisplayName("are listed up to a limit and counted beyond it")
  void limited() {
    var problems = new Problems(2);
    problems.add(TEMPERATURE, "a", "");
    problems.add(TEMPERATURE, "b", "");
    assertThat(problems.list()).hasSize(2);
    problems.add(TEMPERATURE, "c", "");
    problems.add(TEMPERATURE, "d", Json.NULL);
    assertThat(problems.list()).hasSize(3);
    assertThat(problems.list().get(2)).hasToString("and 2 more");
    assertThatThrownBy(() -> new Problems(0)).hasMessageContaining("was 0");
  }

  @Test
  @DisplayName("of a nested document get its pointer, and count towards the limit")
  void nested() {
    var inner = new Problems(2);
    inner.add(TEMPERATURE, "a", "1");
    inner.addMissing(JsonPointer.ROOT);
    inner.add(TEMPERATURE, "c", "");
    var problems = new Problems(2);
    problems.add(TEMPERATURE, "x", "");
    problems.addAll(JsonPointer.ROOT.child("requests").child(1), inner);
    assertThat(problems.list())
        .extracting(Problem::toString)
        .containsExactly("/temperature: x", "/requests/1/temperature: a, was 1", "and 2 more");
    assertThat(problems.count()).isEqualTo(4);
    problems.addAll(JsonPointer.ROOT, new Problems());
    assertThat(problems.count()).isEqualTo(4);
  }

  @Test
  @DisplayName("show the value quoted and cut at 40 characters")
  void shown() {
    assertThat(Problems.displayText(Json.of("x".repeat(40))))
        .isEqualTo("\"" + "x".repeat(40) + "\"");
    assertThat(Problems.displayText(Json.of("x".repeat(41))))
        .isEqualTo("\"" + "x".repeat(40) + "...\"");
    assertThat(Problems.displayText(Json.of("x".repeat(39) + "\uD83D\uDE00")))
        .isEqualTo("\"" + "x".repeat(39) + "...\"");
    assertThat(Problems.displayText(Json.of("a\"b\n"))).isEqualTo("\"a\\\"b\\n\"");
    assertThat(Problems.displayText(Json.of(7))).isEqualTo("7");
    assertThat(Problems.displayText(Json.TRUE)).isEqualTo("true");
    assertThat(Problems.displayText(Json.NULL)).isEqualTo("null");
    assertThat(Problems.displayText(Json.array(Json.NULL))).isEqualTo("an array of 1");
    assertThat(Problems.displayText(Json.Obj.EMPTY)).isEqualTo("an object");
  }
}
