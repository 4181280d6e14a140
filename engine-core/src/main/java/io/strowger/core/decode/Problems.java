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
 * What is wrong with a document, collected while it is read. The first so many are kept, the rest
 * are counted, so that a hostile document cannot make a large answer. For one thread.
 */
public final class Problems {
  /** Kept unless the configuration says otherwise. */
  public static final int DEFAULT_LIMIT = 100;

  private static final int SHOWN = 40;

  private final int limit;
  private final List<Problem> kept = new ArrayList<>(0);
  private int uncounted;

  public Problems() {
    this(DEFAULT_LIMIT);
  }

  /**
   * @param limit most problems to keep; at least 1
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
   * @param at where
   * @param allowed what would be right, as the rest of a sentence: {@code must be 0 to 2}
   * @param given what came
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
   * @param given what came, in words; empty when nothing did or when it is secret
   */
  public void add(JsonPointer at, String allowed, String given) {
    if (isFull()) {
      uncounted++;
    } else {
      kept.add(new Problem(at, allowed, given));
    }
  }

  /** Notes that a member that has to be there is not. */
  public void missing(JsonPointer at) {
    add(at, "is required", "");
  }

  /** Notes all that was found in a document that stands at a place of this one. */
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

  /** Returns an empty collection that keeps as many. */
  public Problems another() {
    return new Problems(limit);
  }

  /** No more are kept, only counted. */
  public boolean isFull() {
    return kept.size() >= limit;
  }

  public boolean isEmpty() {
    return kept.isEmpty();
  }

  /** True when one of those kept is at this place or below it. */
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

  /** How many were found, also those too many to keep. */
  public int found() {
    return kept.size() + uncounted;
  }

  /** The problems in the order they were found; when there were too many, a last one says so. */
  public List<Problem> list() {
    if (uncounted == 0) {
      return List.copyOf(kept);
    }
    var all = new ArrayList<>(kept);
    all.add(new Problem(JsonPointer.ROOT, "and " + uncounted + " more", ""));
    return List.copyOf(all);
  }

  /**
   * Ends the reading of a document that is not right.
   *
   * @throws io.strowger.spi.error.GatewayException 400 with every problem, when there is one
   */
  public void throwIfAny() {
    if (!isEmpty()) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, list()).toException();
    }
  }

  /**
   * The value of a document that had to be right.
   *
   * @param read what its decoder gave: null only after it noted a problem
   * @throws io.strowger.spi.error.GatewayException 400 with every problem, when there is one
   */
  public <T> T requireValid(@Nullable T read) {
    throwIfAny();
    return Objects.requireNonNull(read, "not read, and nobody said why");
  }

  /** A value as it is shown in a message: scalars quoted and cut, containers by their kind. */
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
