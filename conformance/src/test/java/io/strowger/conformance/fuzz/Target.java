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
 * One decoder and what holds for it whatever the body: it gives a value or says what is wrong with
 * which member, never breaks, and says the same when asked again.
 *
 * @param <T> what it gives
 */
final class Target<T> {
  /** Few, so that going beyond it is common. */
  private static final int LIMIT = 5;

  /** One input of so many is also looked at in ways that take longer. */
  private static final int THOROUGHLY = 8;

  private static final int MAX_GIVEN = 300;
  private static final int BAD_REQUEST = 400;

  /** What the contract's side of a decoder looks like. */
  interface Decoder<T> {
    @Nullable T decode(Json.Obj body, Problems problems);
  }

  private final Class<?> owner;
  private final Decoder<T> decoder;
  private final @Nullable Function<T, Json.Obj> members;
  private final boolean nullIsNothing;
  private final Seeds seeds;

  private Target(
      Class<?> owner,
      Decoder<T> decoder,
      @Nullable Function<T, Json.Obj> members,
      boolean nullIsNothing) {
    this.owner = owner;
    this.decoder = decoder;
    this.members = members;
    this.nullIsNothing = nullIsNothing;
    this.seeds = new Seeds(owner);
  }

  /**
   * A decoder of something that is only what is in it.
   *
   * @param owner the class whose folder of inputs has the seeds
   */
  static <T> Target<T> of(Class<?> owner, Decoder<T> decoder) {
    return new Target<>(owner, decoder, null, false);
  }

  /** The same, but the value also has to keep the document byte for byte. */
  Target<T> keeping(Function<T, Json.Obj> kept) {
    return new Target<>(owner, decoder, kept, nullIsNothing);
  }

  /** The same, but a member that is null is as good as one that is missing. */
  Target<T> takingNullForNothing() {
    return new Target<>(owner, decoder, members, true);
  }

  Seeds seeds() {
    return seeds;
  }

  /** What its decoder finds wrong with a body. */
  List<Problem> problems(Json.Obj body) {
    return decode(body, Problems.DEFAULT_LIMIT).problems();
  }

  @Override
  public String toString() {
    return owner.getSimpleName();
  }

  /** What one reading came to. */
  private record Outcome<T>(@Nullable T value, List<Problem> problems, String refusal) {
    boolean isGood() {
      return problems.isEmpty() && refusal.isEmpty();
    }
  }

  /**
   * Checks every law for one input: the body itself when it is a JSON object, otherwise a seed
   * changed as the bytes decide.
   *
   * @return whether the body was good
   * @throws AssertionError with the body when a law is broken
   */
  boolean check(byte[] input) {
    Json.Obj body = body(input);
    try {
      return laws(body, input.length % THOROUGHLY == 0);
    } catch (RuntimeException | AssertionError | StackOverflowError fault) {
      String shown = new String(body.toBytes(), StandardCharsets.UTF_8);
      throw new AssertionError(fault + "\nThe body, to be kept as a seed:\n" + shown, fault);
    }
  }

  private Json.Obj body(byte[] input) {
    Json.Obj whole = parsed(input);
    // parsed again: a decoder is given values that know their bytes
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

  private boolean laws(Json.Obj body, boolean thoroughly) {
    Outcome<T> outcome = decode(body, Problems.DEFAULT_LIMIT);
    sound(outcome.problems(), body);
    if (outcome.isGood()) {
      T value = Objects.requireNonNull(outcome.value(), "neither a value nor a problem");
      if (members != null) {
        assertThat(members.apply(value).toBytes()).isEqualTo(body.toBytes());
      }
    }
    Outcome<T> again = decode(body.detached(), Problems.DEFAULT_LIMIT);
    assertThat(again.problems()).isEqualTo(outcome.problems());
    assertThat(again.refusal()).isEqualTo(outcome.refusal());
    fewer(outcome, decode(body, LIMIT));
    if (thoroughly && outcome.isGood()) {
      sameValue(outcome.value(), again.value());
    }
    if (thoroughly) {
      Growth.bounded(body, grown -> decode(grown, Problems.DEFAULT_LIMIT));
    }
    return outcome.isGood();
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

  private void sound(List<Problem> problems, Json.Obj body) {
    assertThat(problems).hasSizeLessThanOrEqualTo(Problems.DEFAULT_LIMIT + 1);
    var seen = new HashSet<Problem>();
    for (Problem problem : problems) {
      assertThat(seen.add(problem)).as("noted once: %s", problem).isTrue();
      assertThat(problem.allowed()).isNotBlank();
      assertThat(problem.value()).hasSizeLessThan(MAX_GIVEN);
      String at = problem.pointer().toString();
      assertThat(Places.names(at, body)).as("%s is a place", problem).isTrue();
      if (problem.allowed().equals("is required")) {
        Json there = Places.find(at, body);
        boolean nothing = nullIsNothing && Json.NULL.equals(there);
        assertThat(nothing ? null : there).as("%s is missing", at).isNull();
      }
    }
  }

  private static void sameValue(@Nullable Object first, @Nullable Object second) {
    assertThat(second)
        .usingRecursiveComparison()
        // JSON by its content, not by the bytes it is in
        .withEqualsForType(Json.Str::equals, Json.Str.class)
        .withEqualsForType(Json.Num::equals, Json.Num.class)
        .withEqualsForType(Json.Obj::equals, Json.Obj.class)
        .withEqualsForType(Json.Arr::equals, Json.Arr.class)
        .isEqualTo(first);
  }

  /** A smaller limit keeps the first problems and counts the others. */
  private static void fewer(Outcome<?> all, Outcome<?> some) {
    int kept = Math.min(LIMIT, all.problems().size());
    assertThat(some.problems()).startsWith(all.problems().subList(0, kept).toArray(Problem[]::new));
    assertThat(some.problems()).hasSize(kept + (all.problems().size() > LIMIT ? 1 : 0));
  }
}
