package io.strowger.core.resource;

import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Words for the tests of resources. */
public final class ResourceWords {
  private ResourceWords() {}

  /**
   * One way to break one rule.
   *
   * @param pointer where the one problem is then
   * @param spoiled the broken document
   */
  public record Broken(String pointer, Json.Obj spoiled) {}

  /** JSON with single quotes for double ones. */
  public static Json.Obj json(String text) {
    return (Json.Obj) parsed(text.replace('\'', '"'));
  }

  /** A document as it comes from the wire: every value knows its bytes. */
  public static Json parsed(String text) {
    try {
      return new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** The same document as it comes from the wire. */
  public static Json.Obj sent(Json.Obj document) {
    return (Json.Obj) parsed(new String(document.toBytes(), StandardCharsets.UTF_8));
  }

  /** What is said of a document. */
  public static List<String> problems(
      BiFunction<Json.Obj, Problems, ? extends @Nullable Object> decoder, Json.Obj body) {
    return found(decoder, body).stream().map(Problem::toString).toList();
  }

  /** Where a document is wrong. */
  public static List<String> pointers(
      BiFunction<Json.Obj, Problems, ? extends @Nullable Object> decoder, Json.Obj body) {
    return found(decoder, body).stream().map(problem -> problem.pointer().toString()).toList();
  }

  private static List<Problem> found(
      BiFunction<Json.Obj, Problems, ? extends @Nullable Object> decoder, Json.Obj body) {
    var problems = new Problems();
    Object read = decoder.apply(body, problems);
    if (read == null == problems.isEmpty()) {
      throw new AssertionError("a value or a problem, never both: " + read + problems.list());
    }
    return problems.list();
  }

  /** What a document means, which has to be good. */
  public static <T> T good(BiFunction<Json.Obj, Problems, @Nullable T> decoder, Json.Obj body) {
    var problems = new Problems();
    T read = decoder.apply(body, problems);
    problems.throwIfAny();
    return Objects.requireNonNull(read);
  }
}
