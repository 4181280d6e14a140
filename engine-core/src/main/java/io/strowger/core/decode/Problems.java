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
 * The problems of a document, collected while it is read. Those beyond a limit are only counted, so
 * that a hostile document cannot cause a large answer. Confined to one thread.
 */
public final class Problems {
  /** The default of the number of problems kept. */
  public static final int DEFAULT_LIMIT = 100;

  private static final int SHOWN = 40;

  private final int limit;
  private final List<Problem> kept = new ArrayList<>(0);
  private int uncounted;

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
    if (isFull()) {
      uncounted++;
    } else {
      kept.add(new Problem(at, allowed, shown(given)));
    }
  }

  /**
   * Notes a problem.
   *
   * @param given the rejected value in words; empty when there is none or when it is secret
   */
  public void add(JsonPointer at, String allowed, String given) {
    if (isFull()) {
      uncounted++;
    } else {
      kept.add(new Problem(at, allowed, given));
    }
  }

  /** Adds the problem that a required member is missing. */
  public void missing(JsonPointer at) {
    add(at, "is required", "");
  }

  /** Adds the problems of a document that is nested at a place of this one. */
  public void addAll(JsonPointer at, Problems inside) {
    for (Problem problem : inside.kept) {
      if (isFull()) {
        uncounted++;
      } else {
        kept.add(
            new Problem(
                problem.at().under(at), problem.allowed(), problem.given(), problem.origin()));
      }
    }
    uncounted += inside.uncounted;
  }

  /** Returns a new, empty collection with the same limit. */
  public Problems another() {
    return new Problems(limit);
  }

  /** Returns whether the limit is reached, so that more problems are only counted. */
  public boolean isFull() {
    return kept.size() >= limit;
  }

  public boolean isEmpty() {
    return kept.isEmpty();
  }

  /** Returns whether a kept problem is at this place or below it. */
  public boolean hasProblemUnder(JsonPointer at) {
    if (isEmpty()) {
      return false;
    }
    String place = at.toString();
    for (Problem problem : kept) {
      String other = problem.at().toString();
      if (other.startsWith(place)
          && (other.length() == place.length() || other.charAt(place.length()) == '/')) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of problems found, including those not kept. */
  public int found() {
    return kept.size() + uncounted;
  }

  /** Returns the problems in order; if there were too many, a last one counts the others. */
  public List<Problem> list() {
    if (uncounted == 0) {
      return List.copyOf(kept);
    }
    var all = new ArrayList<>(kept);
    all.add(new Problem(JsonPointer.ROOT, "and " + uncounted + " more", ""));
    return List.copyOf(all);
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
   * @param read the decoder's result; null only after it added a problem
   * @throws io.strowger.spi.error.GatewayException 400 with every problem, when there is one
   */
  public <T> T requireValid(@Nullable T read) {
    throwIfAny();
    return Objects.requireNonNull(read, "not read, and nobody said why");
  }

  /** Returns a value as a message shows it: scalars shortened, containers by their type. */
  public static String shown(Json given) {
    return switch (given) {
      case Json.Str s -> shown(s);
      case Json.Num n -> ShortText.withDots(n.spelling(), SHOWN);
      case Json.Bool b -> b.toString();
      case Json.Null n -> "null";
      case Json.Arr a -> "an array of " + a.size();
      case Json.Obj o -> "an object";
    };
  }

  private static String shown(Json.Str given) {
    // a string may be megabytes of inlined media: cut before quoting
    return Json.of(ShortText.withDots(given.beginning(SHOWN + 1), SHOWN)).toString();
  }
}
