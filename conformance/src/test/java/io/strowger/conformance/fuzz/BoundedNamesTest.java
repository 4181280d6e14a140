package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.dialects.CallerDialect;
import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a name that is far too long is refused before it is decoded, split or shown. The test
 * measures the bytes that the thread allocates, since each of these steps makes a string of the
 * name.
 */
@DisplayName("A name of a quarter of a megabyte")
class BoundedNamesTest {
  private static final int LONG = 256 << 10;

  /** Enough for a decoder and its problems, but far less than a copy of the name. */
  private static final long MAX_ALLOCATED = 100 << 10;

  private static final int MAX_SHOWN = 300;
  private static final JacksonCodec CODEC = new JacksonCodec();

  /** The decoders of bodies that anyone with an inference key may send. */
  private static final List<Target<?>> FOR_EVERY_KEY =
      List.of(
          ChatFuzz.TARGET,
          MessagesFuzz.TARGET,
          ResponsesFuzz.TARGET,
          SpeechFuzz.TARGET,
          EmbeddingsFuzz.TARGET,
          PresetFuzz.TARGET,
          BatchFuzz.TARGET);

  private static Json.Obj read(Json.Obj body) {
    try {
      return (Json.Obj) CODEC.parse(body.toBytes());
    } catch (MalformedJsonException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static long allocated(Runnable work) {
    return Effort.of(work).bytes();
  }

  @ParameterizedTest
  @EnumSource(CallerDialect.class)
  @DisplayName("is refused as the name of a model, with variants or without, and is not copied")
  void models(CallerDialect caller) {
    String rest =
        switch (caller) {
          case CHAT -> ",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}";
          case MESSAGES ->
              ",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}";
          case RESPONSES -> ",\"input\":\"x\"}";
        };
    Target<?> target =
        switch (caller) {
          case CHAT -> ChatFuzz.TARGET;
          case MESSAGES -> MessagesFuzz.TARGET;
          case RESPONSES -> ResponsesFuzz.TARGET;
        };
    for (String unit : List.of("a", ":a", ",", "\\u0061", "\\n", "é")) {
      String name = "t/c" + unit.repeat(LONG / unit.length());
      for (String named :
          List.of(
              "\"model\":\"" + name + "\"", "\"model\":\"a/b\",\"models\":[\"" + name + "\"]")) {
        Json.Obj body = parsed("{" + named + rest);
        assertRefusedWithoutCopy(() -> target.problems(body), target.problems(body), unit);
      }
    }
  }

  private static void assertRefusedWithoutCopy(
      Runnable again, List<Problem> problems, String what) {
    assertThat(problems).as(what).isNotEmpty();
    problems.forEach(problem -> assertThat(problem.value()).hasSizeLessThan(MAX_SHOWN));
    assertThat(allocated(again)).as("bytes for %s", what).isLessThan(MAX_ALLOCATED);
  }

  private static Json.Obj parsed(String body) {
    try {
      return (Json.Obj) CODEC.parse(body.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException impossible) {
      throw new AssertionError(impossible);
    }
  }

  static Stream<Target<?>> targets() {
    return Targets.all().stream();
  }

  @Tag("full")
  @ParameterizedTest
  @MethodSource("targets")
  @DisplayName(
      "is refused in every member that is no long text, is not copied, and is shown shortened")
  void everywhere(Target<?> target) throws IOException {
    Set<String> longTexts = longTexts();
    for (Json.Obj seed : target.seeds().documents().values()) {
      withLongTexts(seed)
          .forEach(
              (place, longer) -> {
                Json.Obj body = read(longer);
                List<Problem> problems = target.problems(body);
                problems.forEach(
                    problem -> assertThat(problem.value()).as(place).hasSizeLessThan(MAX_SHOWN));
                boolean refused =
                    problems.stream().anyMatch(p -> p.pointer().toString().equals(place));
                if (!refused && FOR_EVERY_KEY.contains(target)) {
                  assertThat(longTexts).contains(target + " " + place.replaceAll("/[0-9]+", "/*"));
                }
                if (refused && FOR_EVERY_KEY.contains(target)) {
                  assertThat(allocated(() -> target.problems(body)))
                      .as("%s%s", target, place)
                      .isLessThan(MAX_ALLOCATED + allocated(() -> target.problems(seed)));
                }
              });
    }
  }

  /**
   * Returns the members that may be as long as a body: texts, data, and what is passed on unread. A
   * new text member of a decoder must have a bound or be added to the file.
   */
  private static Set<String> longTexts() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(BoundedNamesTest.class.getResourceAsStream("long-texts.txt"))) {
      return Set.copyOf(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }
  }

  /** Returns the document with each of its texts lengthened in turn, by the place of the text. */
  private static Map<String, Json.Obj> withLongTexts(Json.Obj seed) {
    var all = new LinkedHashMap<String, Json.Obj>();
    visit(
        JsonPointer.ROOT,
        seed,
        UnaryOperator.identity(),
        (place, longer) -> all.put(place, (Json.Obj) longer));
    return all;
  }

  private static void visit(
      JsonPointer at, Json here, UnaryOperator<Json> rebuild, BiConsumer<String, Json> found) {
    switch (here) {
      case Json.Arr items -> {
        for (int i = 0; i < Math.min(items.size(), 2); i++) {
          int index = i;
          visit(at.child(i), items.get(i), inner -> rebuild.apply(items.with(index, inner)), found);
        }
      }
      case Json.Obj object -> {
        for (int i = 0; i < object.size(); i++) {
          String name = object.name(i);
          visit(
              at.child(name),
              object.value(i),
              inner -> rebuild.apply(object.with(name, inner)),
              found);
        }
      }
      case Json.Str str ->
          found.accept(at.toString(), rebuild.apply(Json.of(str.text() + "a".repeat(LONG))));
      default -> {}
    }
  }

  @Test
  @DisplayName("is refused in a query and in a path, and is shown shortened")
  void queries() {
    String name = "a".repeat(LONG);
    List<BiConsumer<String, Problems>> readers =
        List.of(
            (text, problems) -> Queries.models("providers=" + text, problems),
            (text, problems) -> Queries.models("output_modalities=" + text, problems),
            (text, problems) -> Queries.models("region=" + text, problems),
            (text, problems) -> Queries.generation("id=" + text, problems),
            (text, problems) -> Queries.keys("workspace_id=" + text, problems),
            (text, problems) -> Queries.batches("after=" + text, problems),
            (text, problems) -> PathParameters.presetSlug(text, problems));
    for (BiConsumer<String, Problems> reader : readers) {
      for (String given : List.of(name, "b,".repeat(5_000), "c".repeat(2_000))) {
        var problems = new Problems();
        reader.accept(given, problems);
        assertThat(problems.list()).isNotEmpty();
        problems.list().forEach(problem -> assertThat(problem.value()).hasSizeLessThan(MAX_SHOWN));
      }
    }
  }

  @Test
  @DisplayName("is shortened in an error message of an upstream")
  void failures() {
    Failure failure = Failure.of(FailureKind.INVALID_REQUEST, "no " + "m".repeat(LONG));
    assertThat(failure.message()).hasSizeLessThanOrEqualTo(Failure.MAX_MESSAGE_CHARS);
    assertThat(failure.toError().message()).hasSizeLessThanOrEqualTo(Failure.MAX_MESSAGE_CHARS);
  }
}
