package io.strowger.core.decode;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.TestRules.problemTexts;
import static io.strowger.core.decode.TestRules.problems;
import static io.strowger.core.decode.TestRules.readValid;
import static io.strowger.core.decode.TestRules.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The rules of decoders:")
class VocabularyTest {
  @Nested
  @DisplayName("a table of members")
  class OfMembers {
    private final MemberTable.Builder<List<String>> table =
        MemberTable.<List<String>>table()
            .required("z", Rules.text(), List::add)
            .required("a", Rules.text(), List::add)
            .optional("n", Rules.integer(0, 9), (list, n) -> list.add("n" + n));
    private final Rule<String> rule = table.as(ArrayList::new, list -> String.join(" ", list));

    @Test
    @DisplayName(
        "reads members in the order of the object, and keeps members that it does not list")
    void read() {
      assertThat(readValid(rule, "{'n':1,'later':null,'a':'A','z':'Z'}")).isEqualTo("n1 A Z");
      Rule<String> withSource =
          table.withSource(ArrayList::new, (object, list) -> object.size() + " " + list);
      assertThat(readValid(withSource, "{'a':'A','z':'Z','x':[]}")).isEqualTo("3 [A, Z]");
    }

    @Test
    @DisplayName("reports missing members in its own order, after wrong ones")
    void missing() {
      assertThat(problems(rule, "{'n':10}"))
          .containsExactly(
              "/n: must be a whole number from 0 to 9, was 10",
              "/z: is required",
              "/a: is required");
      assertThat(problems(rule, "{'a':null,'z':'Z'}"))
          .containsExactly("/a: must be a string, not empty, was null");
    }

    @Test
    @DisplayName("returns no value for an object with a problem")
    void noValue() {
      var context = new DecodingContext(new Problems(1));
      context.reject("something before", Json.NULL);
      assertThat(rule.read(value("{'a':'A','z':1}"), context)).isNull();
      assertThat(rule.read(value("[]"), context)).isNull();
      assertThat(rule.read(value("{'a':'A','z':'Z'}"), context)).isEqualTo("A Z");
      assertThat(context.problemCount()).isEqualTo(3);
    }

    @Test
    @DisplayName("refuses members that it does not list if it is closed")
    void closed() {
      Rule<Json.Obj> closed =
          members().optional("a", Rules.any()).closed("is not a member of it").asJson();
      assertThat(problems(closed, "{'a':1,'A':2,'b':null}"))
          .containsExactly(
              "/A: is not a member of it, was 2", "/b: is not a member of it, was null");
    }

    @Test
    @DisplayName("applies rules across members after all were read, also if some are wrong")
    void acrossMembers() {
      MemberTable.JsonBuilder withRule =
          members()
              .optional("a", Rules.bool())
              .optional("b", Rules.bool())
              .addRule(
                  (object, context) -> {
                    if (object.has("a") && object.has("b")) {
                      context.reject("b", "must not be given together with a", Json.TRUE);
                    }
                  });
      assertThat(problems(withRule.asJson(), "{'b':true,'a':1}"))
          .containsExactly(
              "/a: must be true or false, was 1",
              "/b: must not be given together with a, was true");
      Rule<String> mapped = withRule.as(object -> object.name(0));
      assertThat(readValid(mapped, "{'a':true}")).isEqualTo("a");
      assertThat(problems(mapped, "{'a':1}")).hasSize(1);
      assertThat(problems(mapped, "[]")).containsExactly("must be an object, was an array of 0");
    }

    @Test
    @DisplayName("cannot list a name twice")
    void twice() {
      MemberTable.JsonBuilder twice = members().optional("a", Rules.any());
      assertThatThrownBy(() -> twice.required("a", Rules.any()))
          .hasMessageContaining("two rules for a");
    }
  }

  @Nested
  @DisplayName("a union")
  class OfKinds {
    private final Union<String> union =
        Union.<String>on("type").when("a", kind("A")).when("b", kind("B"));

    private Rule<String> kind(String name) {
      return members().required("x", Rules.any()).as(object -> name);
    }

    @Test
    @DisplayName("applies the rules of an object's type")
    void kinds() {
      assertThat(readValid(union, "{'x':1,'type':'a'}")).isEqualTo("A");
      assertThat(readValid(union, "{'type':'\\u0062','x':1}")).isEqualTo("B");
      assertThat(problems(union, "{'type':'a'}")).containsExactly("/x: is required");
    }

    @Test
    @DisplayName("names the known types if the type is unknown")
    void unknown() {
      assertThat(problems(union, "{'type':'c'}"))
          .containsExactly("/type: must be one of a, b, was \"c\"");
      assertThat(problems(union, "{'type':null}"))
          .containsExactly("/type: must be one of a, b, was null");
      assertThat(problems(union, "{}")).containsExactly("/type: is required");
      assertThat(problems(union, "'a'")).containsExactly("must be an object, was \"a\"");
      assertThat(problems(Union.<String>on("type").when("a", kind("A")), "{'type':1}"))
          .containsExactly("/type: must be a, was 1");
    }

    @Test
    @DisplayName("can have a rule for all other types")
    void otherwise() {
      Union<String> open = union.orElse((given, context) -> "other");
      assertThat(readValid(open, "{'type':'c'}")).isEqualTo("other");
      assertThat(readValid(open, "{'type':'a','x':1}")).isEqualTo("A");
      assertThat(problems(open, "{'type':1}")).containsExactly("/type: must be a string, was 1");
      assertThat(problems(union, "{'type':'c'}")).hasSize(1);
    }

    @Test
    @DisplayName("cannot list a type twice")
    void twice() {
      assertThatThrownBy(() -> union.when("a", kind("C"))).hasMessageContaining("two rules for a");
    }
  }

  @Test
  @DisplayName("a value of several JSON types has a rule for each, and refuses other types")
  void byKind() {
    ByJsonType<String> rule =
        ByJsonType.<String>of("must be anything but that")
            .string(Rules.text())
            .array((given, context) -> "array")
            .object((given, context) -> "object")
            .number((given, context) -> "number");
    assertThat(readValid(rule, "'x'")).isEqualTo("x");
    assertThat(readValid(rule, "[]")).isEqualTo("array");
    assertThat(readValid(rule, "{}")).isEqualTo("object");
    assertThat(readValid(rule, "1")).isEqualTo("number");
    assertThat(problems(rule, "''")).containsExactly("must be a string, not empty, was \"\"");
    assertThat(problems(rule, "null")).containsExactly("must be anything but that, was null");
    assertThat(problems(rule, "true")).containsExactly("must be anything but that, was true");
    assertThat(problems(ByJsonType.<String>of("must be nothing"), "1"))
        .containsExactly("must be nothing, was 1");
  }

  @Nested
  @DisplayName("a decoding context")
  class OfAReading {
    @Test
    @DisplayName("knows its pointer at any depth, and returns to the root")
    void place() {
      var problems = new Problems();
      var context = new DecodingContext(problems);
      var pointer = new StringBuilder();
      for (int i = 0; i < 40; i++) {
        context.enter(i);
        context.enter("m" + i);
        pointer.append("/").append(i).append("/m").append(i);
      }
      assertThat(context.pointer()).hasToString(pointer.toString());
      context.reject("x", "must be x", Json.NULL);
      context.reject(7, "must be 7", Json.NULL);
      context.rejectMissing("y");
      for (int i = 0; i < 79; i++) {
        context.leave();
      }
      assertThat(context.pointer()).hasToString("/0");
      context.leave();
      assertThat(context.pointer()).hasToString("");
      assertThat(problemTexts(problems))
          .containsExactly(
              pointer + "/x: must be x, was null",
              pointer + "/7: must be 7, was null",
              pointer + "/y: is required");
    }

    @Test
    @DisplayName("counts problems beyond the limit of those listed")
    void found() {
      var context = new DecodingContext(new Problems(1));
      context.reject("a", Json.NULL);
      context.reject("b", Json.NULL);
      assertThat(context.problemCount()).isEqualTo(2);
    }

    @Test
    @DisplayName("finds a problem at a pointer or below it, but none beside it")
    void concern() {
      var context = new DecodingContext(new Problems());
      assertThat(context.problems().hasProblemUnder(context.pointer())).isFalse();
      context.enter("ab");
      context.rejectMissing("c");
      context.leave();
      var at = context.pointer();
      assertThat(context.problems().hasProblemUnder(at)).isTrue();
      assertThat(context.problems().hasProblemUnder(at.child("ab"))).isTrue();
      assertThat(context.problems().hasProblemUnder(at.child("ab").child("c"))).isTrue();
      assertThat(context.problems().hasProblemUnder(at.child("a"))).isFalse();
      assertThat(context.problems().hasProblemUnder(at.child("ab").child("c").child("d")))
          .isFalse();
    }
  }
}
