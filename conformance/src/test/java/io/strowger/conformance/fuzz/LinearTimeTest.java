package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that no document of any shape takes super-linear time. Measures the effort of the thread,
 * see {@link Effort} and {@link LinearEffort}.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES) // elapsed time, which is not what the test measures
@DisplayName("The cost of a document grows at most linearly with its length")
class LinearTimeTest {
  private static final JacksonCodec WIDE =
      new JacksonCodec(new JsonLimits(1000, 1 << 30, 1 << 20, 1 << 20, 1 << 20, Integer.MAX_VALUE));

  static Stream<Target<?>> targets() {
    return Targets.all().stream();
  }

  @ParameterizedTest
  @MethodSource("targets")
  @DisplayName("in each decoder, whichever part of it is longer:")
  void decoding(Target<?> target) {
    var growthFunctions = new LinkedHashMap<String, IntFunction<Json.Obj>>();
    target
        .seeds()
        .documents()
        .values()
        .forEach(seed -> growthFunctions.putAll(LongerDocuments.growthFunctionsOf(seed)));
    assertThat(growthFunctions).isNotEmpty();
    growthFunctions.forEach(
        (name, longer) ->
            LinearEffort.assertLinear(
                target + name,
                length -> {
                  Json.Obj body = longer.apply(length);
                  return () -> target.problems(body);
                }));
  }

  /** A kind of document, and a function that makes one of a length. */
  record Shape(String name, IntFunction<String> document) {
    byte[] bytes(int length) {
      return document.apply(length).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Shape> valid() {
    return Stream.of(
        new Shape("lists inside each other", n -> nested(n, "[", "]")),
        new Shape("objects inside each other", n -> nested(n, "{\"a\":", "}")),
        new Shape("items", n -> list(n, i -> "1")),
        new Shape("empty objects", n -> list(n, i -> "{}")),
        new Shape("members", n -> members(n, i -> "name-" + i)),
        new Shape("long numbers", n -> list(n, i -> "123456789".repeat(7))),
        new Shape("a long number", n -> "1".repeat(n * 8)),
        new Shape("a long fraction", n -> "0." + "1".repeat(n * 8)),
        new Shape("escapes", n -> '"' + "\\u00e9\\n".repeat(n * 4) + '"'),
        new Shape("a long text", n -> '"' + "aé€".repeat(n * 16) + '"'),
        new Shape("a long name", n -> "{\"" + "a".repeat(n * 4) + "\":1}"),
        new Shape("space", n -> list(n, i -> " ".repeat(50) + "1" + "\n".repeat(50))));
  }

  /**
   * Returns valid shapes and some that are refused. Names with the same hash code cost more and
   * more each, but only until the tokenizer refuses the document, at some ten thousand names.
   */
  static Stream<Shape> any() {
    return Stream.concat(
        valid(),
        Stream.of(
            new Shape("names that hash alike", n -> members(CollidingNames.names(n * 4))),
            new Shape("a name twice, at the end", n -> members(n, i -> "n" + i % (n - 1))),
            new Shape("a list that does not end", n -> "[" + "1,".repeat(n))));
  }

  @ParameterizedTest
  @MethodSource("any")
  @DisplayName("in the JSON reader:")
  void reading(Shape shape) {
    LinearEffort.assertLinear(
        "reading " + shape,
        length -> {
          byte[] document = shape.bytes(length);
          return () -> read(document);
        });
  }

  @ParameterizedTest
  @MethodSource("valid")
  @DisplayName("when it is compared, detached and written:")
  void handling(Shape shape) {
    LinearEffort.assertLinear(
        "comparing, detaching and writing " + shape,
        length -> {
          byte[] document = shape.bytes(length);
          Json first = readValid(document);
          Json second = readValid(document);
          return () -> {
            assertThat(second.equals(first)).isTrue();
            assertThat(second.hashCode()).isEqualTo(first.hashCode());
            assertThat(first.detached().toBytes()).isNotEmpty();
          };
        });
  }

  @Test
  @DisplayName("when it is compared with one that has the same members in another order")
  void otherOrder() {
    LinearEffort.assertLinear(
        "comparing members in another order",
        length -> {
          List<String> names = CollidingNames.names(length);
          Json first = object(names);
          Json second = object(names.reversed());
          return () -> assertThat(first.equals(second)).isTrue();
        });
  }

  private static Json.Obj object(List<String> names) {
    Json.Obj.Builder object = Json.object();
    names.forEach(name -> object.put(name, 1));
    return object.build();
  }

  @Test
  @DisplayName("even if every item in it is wrong")
  void problems() {
    LinearEffort.assertLinear(
        "reporting problems",
        length -> {
          Json wrong = Json.array(Collections.nCopies(length, Json.TRUE));
          Json.Obj body = Json.object().put("messages", wrong).build();
          return () ->
              assertThat(ChatFuzz.TARGET.problems(body)).hasSize(Problems.DEFAULT_LIMIT + 1);
        });
  }

  @Test
  @DisplayName("and the measurement notices quadratic cost")
  void quadratic() {
    assertThatThrownBy(
            () ->
                LinearEffort.assertLinear(
                    "searching a list for each of its items",
                    length -> {
                      List<Integer> numbers = IntStream.range(0, length).boxed().toList();
                      return () ->
                          assertThat(numbers.stream().mapToInt(numbers::indexOf).sum())
                              .isPositive();
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(
            "searching a list for each of its items takes more than linear effort");
  }

  private static String nested(int length, String open, String close) {
    // of the greatest depth that can be configured, repeated by the length
    int depth = 900;
    return list(Math.max(1, length / 100), i -> open.repeat(depth) + "1" + close.repeat(depth));
  }

  private static String list(int length, IntFunction<String> item) {
    return IntStream.range(0, length).mapToObj(item).collect(Collectors.joining(",", "[", "]"));
  }

  private static String members(int length, IntFunction<String> name) {
    return members(IntStream.range(0, length).mapToObj(name).toList());
  }

  private static String members(List<String> names) {
    return names.stream()
        .map(name -> '"' + name + "\":1")
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static @Nullable Json read(byte[] document) {
    try {
      return WIDE.parse(document);
    } catch (MalformedJsonException refused) {
      return null;
    }
  }

  private static Json readValid(byte[] document) {
    return Objects.requireNonNull(read(document), "is not valid JSON");
  }
}
