package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A decoder, and the laws that hold for it whatever the body: it returns a value or reports which
 * member is wrong and why, throws nothing else, and gives the same result a second time.
 *
 * @param <T> the type of the decoded value
 */
final class Target<T> {
  /** A small limit of problems, so that many bodies exceed it. */
  private static final int LIMIT = 5;

  /** One input out of this many also gets the checks that take longer. */
  private static final int THOROUGH_EVERY = 8;

  private static final int MAX_SHOWN = 300;
  private static final int BAD_REQUEST = 400;

  /** The method of a decoder that is tested. */
  interface Decoder<T> {
    @Nullable T decode(Json.Obj body, Problems problems);
  }

  private final Class<?> owner;
  private final Decoder<T> decoder;
  private final @Nullable Function<T, Json.Obj> members;
  private final boolean nullIsMissing;
  private final Seeds seeds;

  private Target(
      Class<?> owner,
      Decoder<T> decoder,
      @Nullable Function<T, Json.Obj> members,
      boolean nullIsMissing) {
    this.owner = owner;
    this.decoder = decoder;
    this.members = members;
    this.nullIsMissing = nullIsMissing;
    this.seeds = new Seeds(owner);
  }

  /**
   * Returns a target for a decoder whose values need not preserve the body.
   *
   * @param owner the class whose folder of inputs has the seeds
   */
  static <T> Target<T> of(Class<?> owner, Decoder<T> decoder) {
    return new Target<>(owner, decoder, null, false);
  }

  /** Returns this target with one law more: the value preserves the body byte for byte. */
  Target<T> preservingMembers(Function<T, Json.Obj> getter) {
    return new Target<>(owner, decoder, getter, nullIsMissing);
  }

  /** Returns this target for a decoder that treats a member that is null as a missing one. */
  Target<T> treatingNullAsMissing() {
    return new Target<>(owner, decoder, members, true);
  }

  Seeds seeds() {
    return seeds;
  }

  /** Returns the problems that the decoder finds in a body. */
  List<Problem> problems(Json.Obj body) {
    return decode(body, Problems.DEFAULT_LIMIT).problems();
  }

  @Override
  public String toString() {
    return owner.getSimpleName();
  }

  /** The result of decoding once. */
  private record Outcome<T>(@Nullable T value, List<Problem> problems, String refusal) {
    boolean isValid() {
      return problems.isEmpty() && refusal.isEmpty();
    }
  }

  /**
   * Checks every law for one input: the input itself when it is a JSON object, otherwise a seed
   * that is changed as the bytes of the input decide.
   *
   * @return whether the body was valid
   * @throws AssertionError with the body when a law is broken
   */
  boolean check(byte[] input) {
    Json.Obj body = body(input);
    try {
      return checkLaws(body, input.length % THOROUGH_EVERY == 0);
    } catch (RuntimeException | AssertionError | StackOverflowError fault) {
      String shown = new String(body.toBytes(), StandardCharsets.UTF_8);
      throw new AssertionError(fault + "\nThe body, to be kept as a seed:\n" + shown, fault);
    }
  }

  private Json.Obj body(byte[] input) {
    Json.Obj whole = parsed(input);
    // parsed again, since decoders get values that know their original bytes
    return whole != null
        ? whole
        : Objects.requireNonNull(parsed(Mutant.of(seeds, input).toBytes()), "a mutant is JSON");
  }

  private static Json.@Nullable Obj parsed(byte[] document) {
    try {
      return new JacksonCodec().parse(document) instanceof Json.Obj object ? object : null;
    } catch (MalformedJsonException notJson) {
      return null;
    }
  }

  private boolean checkLaws(Json.Obj body, boolean thorough) {
    Outcome<T> outcome = decode(body, Problems.DEFAULT_LIMIT);
    assertSound(outcome.problems(), body);
    if (outcome.isValid()) {
      T value = Objects.requireNonNull(outcome.value(), "neither a value nor a problem");
      if (members != null) {
        assertThat(members.apply(value).toBytes()).isEqualTo(body.toBytes());
      }
    }
    Outcome<T> again = decode(body.detached(), Problems.DEFAULT_LIMIT);
    assertThat(again.problems()).isEqualTo(outcome.problems());
    assertThat(again.refusal()).isEqualTo(outcome.refusal());
    assertLimited(outcome, decode(body, LIMIT));
    if (thorough && outcome.isValid()) {
      assertSameValue(outcome.value(), again.value());
    }
    if (thorough) {
      AllocationGrowth.assertLinear(body, grown -> decode(grown, Problems.DEFAULT_LIMIT));
    }
    return outcome.isValid();
  }

  private Outcome<T> decode(Json.Obj body, int limit) {
    var problems = new Problems(limit);
    try {
      T value = decoder.decode(body, problems);
      return new Outcome<>(value, problems.list(), "");
    } catch (GatewayException documented) {
      assertThat(documented.error().code().status()).isEqualTo(BAD_REQUEST);
      return new Outcome<>(null, problems.list(), documented.error().message());
    }
  }

  private void assertSound(List<Problem> problems, Json.Obj body) {
    assertThat(problems).hasSizeLessThanOrEqualTo(Problems.DEFAULT_LIMIT + 1);
    var seen = new HashSet<Problem>();
    for (Problem problem : problems) {
      assertThat(seen.add(problem)).as("reported once: %s", problem).isTrue();
      assertThat(problem.allowed()).isNotBlank();
      assertThat(problem.value()).hasSizeLessThan(MAX_SHOWN);
      String at = problem.pointer().toString();
      assertThat(Pointers.canExist(at, body)).as("%s names a place in the body", problem).isTrue();
      if (problem.allowed().equals("is required")) {
        Json found = Pointers.find(at, body);
        boolean isNull = nullIsMissing && Json.NULL.equals(found);
        assertThat(isNull ? null : found).as("%s is missing", at).isNull();
      }
    }
  }

  private static void assertSameValue(@Nullable Object first, @Nullable Object second) {
    assertThat(second)
        .usingRecursiveComparison()
        // JSON is compared by its content, not by its original bytes
        .withEqualsForType(Json.Str::equals, Json.Str.class)
        .withEqualsForType(Json.Num::equals, Json.Num.class)
        .withEqualsForType(Json.Obj::equals, Json.Obj.class)
        .withEqualsForType(Json.Arr::equals, Json.Arr.class)
        .isEqualTo(first);
  }

  /** Asserts that a smaller limit keeps the first problems and adds one that counts the others. */
  private static void assertLimited(Outcome<?> all, Outcome<?> some) {
    int kept = Math.min(LIMIT, all.problems().size());
    assertThat(some.problems()).startsWith(all.problems().subList(0, kept).toArray(Problem[]::new));
    assertThat(some.problems()).hasSize(kept + (all.problems().size() > LIMIT ? 1 : 0));
  }
}
