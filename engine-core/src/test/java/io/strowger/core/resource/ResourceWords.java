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

/** JSON and decoding for the tests of resources. */
public final class ResourceWords {
  private ResourceWords() {}

  /**
   * A body that breaks one rule.
   *
   * @param pointer the place of its only problem
   * @param body the broken body
   */
  public record BrokenBody(String pointer, Json.Obj body) {}

  /** Parses a JSON object that is written with single quotes. */
  public static Json.Obj json(String text) {
    return (Json.Obj) parsed(text.replace('\'', '"'));
  }

  /** Parses JSON; every value knows its bytes, as in a request. */
  public static Json parsed(String text) {
    try {
      return new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** Returns a document as it is received: written and parsed again. */
  public static Json.Obj sent(Json.Obj document) {
    return (Json.Obj) parsed(new String(document.toBytes(), StandardCharsets.UTF_8));
  }

  /** Returns the problems of a document. */
  public static List<String> problems(
      BiFunction<Json.Obj, Problems, ? extends @Nullable Object> decoder, Json.Obj body) {
    return found(decoder, body).stream().map(Problem::toString).toList();
  }

  /** Returns the places of the problems of a document. */
  public static List<String> pointers(
      BiFunction<Json.Obj, Problems, ? extends @Nullable Object> decoder, Json.Obj body) {
    return found(decoder, body).stream().map(problem -> problem.pointer().toString()).toList();
  }

  private static List<Problem> found(
      BiFunction<Json.Obj, Problems, ? extends @Nullable Object> decoder, Json.Obj body) {
    var problems = new Problems();
    Object read = decoder.apply(body, problems);
    if (read == null == problems.isEmpty()) {
      throw new AssertionError("must give either a value or problems: " + read + problems.list());
    }
    return problems.list();
  }

  /** Decodes a document, which must be valid. */
  public static <T> T decode(BiFunction<Json.Obj, Problems, @Nullable T> decoder, Json.Obj body) {
    var problems = new Problems();
    T read = decoder.apply(body, problems);
    problems.throwIfAny();
    return Objects.requireNonNull(read);
  }
}
