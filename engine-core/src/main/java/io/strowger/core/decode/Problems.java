package io.strowger.core.decode;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The problems of a document, collected while it is read. Problems beyond a limit are only counted,
 * so that a hostile document cannot cause a large answer. Confined to one thread.
 */
public final class Problems {
  /** The most problems that are kept by default. */
  public static final int DEFAULT_LIMIT = 100;

  private static final int MAX_SHOWN_CHARS = 40;

  private final int limit;
  private final List<Problem> problems = new ArrayList<>(0);
  private int omitted;

  public Problems() {
    this(DEFAULT_LIMIT);
  }

  /**
   * @param limit the most problems to keep; at least 1
   */
  public Problems(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, was " + limit);
    }
    this.limit = limit;
  }

  /**
   * Notes a problem.
   *
   * @param at the place of the problem
   * @param allowed what is allowed, as the rest of a sentence: {@code must be 0 to 2}
   * @param given the rejected value
   */
  public void add(JsonPointer at, String allowed, Json given) {
    add(at, allowed, isFull() ? "" : displayText(given));
  }

  /**
   * Notes a problem.
   *
   * @param given the rejected value in words; empty when there is none or when it is secret
   */
  public void add(JsonPointer at, String allowed, String given) {
    if (isFull()) {
      omitted++;
    } else {
      problems.add(new Problem(at, allowed, given));
    }
  }

  /** Adds the problem that a required member is missing. */
  public void addMissing(JsonPointer at) {
    add(at, "is required", "");
  }

  /** Adds the problems of a document that is nested at a place of this one. */
  public void addAll(JsonPointer at, Problems nested) {
    for (Problem problem : nested.problems) {
      if (isFull()) {
        omitted++;
      } else {
        problems.add(
            new Problem(
                problem.pointer().prefixedWith(at),
                problem.allowed(),
                problem.value(),
                problem.origin()));
      }
    }
    omitted += nested.omitted;
  }

  /** Returns a new, empty collection with the same limit. */
  public Problems newEmpty() {
    return new Problems(limit);
  }

  /** Returns whether the limit is reached, so that more problems are only counted. */
  public boolean isFull() {
    return problems.size() >= limit;
  }

  public boolean isEmpty() {
    return problems.isEmpty();
  }

  /** Returns whether a kept problem is at this place or below it. */
  public boolean hasProblemUnder(JsonPointer at) {
    if (isEmpty()) {
      return false;
    }
    String place = at.toString();
    for (Problem problem : problems) {
      String problemPlace = problem.pointer().toString();
      if (problemPlace.startsWith(place)
          && (problemPlace.length() == place.length()
              || problemPlace.charAt(place.length()) == '/')) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of problems found, including those not kept. */
  public int count() {
    return problems.size() + omitted;
  }

  /** Returns the problems in order; if there were too many, a last one counts the others. */
  public List<Problem> list() {
    if (omitted == 0) {
      return List.copyOf(problems);
    }
    var result = new ArrayList<>(problems);
    result.add(new Problem(JsonPointer.ROOT, "and " + omitted + " more", ""));
    return List.copyOf(result);
  }

  /**
   * Throws if the document has a problem.
   *
   * @throws io.strowger.spi.error.GatewayException 400 with every problem, when there is one
   */
  public void throwIfAny() {
    if (!isEmpty()) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, list()).toException();
    }
  }

  /**
   * Returns the value of a document that must be valid.
   *
   * @param value the decoder's result; null only after it added a problem
   * @throws io.strowger.spi.error.GatewayException 400 with every problem, when there is one
   */
  public <T> T requireValid(@Nullable T value) {
    throwIfAny();
    return Objects.requireNonNull(value, "the value was not read, but no problem was reported");
  }

  /** Returns a value as a message shows it: scalars shortened, containers by their type. */
  public static String displayText(Json json) {
    return switch (json) {
      case Json.Str s -> displayText(s);
      case Json.Num n -> ShortText.withEllipsis(n.spelling(), MAX_SHOWN_CHARS);
      case Json.Bool b -> b.toString();
      case Json.Null n -> "null";
      case Json.Arr a -> "an array of " + a.size();
      case Json.Obj o -> "an object";
    };
  }

  private static String displayText(Json.Str json) {
    // a string may be megabytes of inlined media: cut before quoting
    return Json.of(ShortText.withEllipsis(json.beginning(MAX_SHOWN_CHARS + 1), MAX_SHOWN_CHARS))
        .toString();
  }
}
