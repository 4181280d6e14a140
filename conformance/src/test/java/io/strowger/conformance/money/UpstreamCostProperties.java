package io.strowger.conformance.money;

import static io.strowger.conformance.money.ChatBytes.done;
import static io.strowger.conformance.money.ChatBytes.finish;
import static io.strowger.conformance.money.ChatBytes.text;
import static io.strowger.conformance.money.ChatBytes.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.money.ScriptedTransport.Step;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.observe.CallRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

/**
 * A simulation of money: answers of all kinds and lengths, ended in every way of the table in
 * {@code docs/errors.md}. What upstreams cost is never more than what callers pay, the answers that
 * are insured, and what an upstream produced beyond the output it was asked for without counting
 * it. An upstream counts, or would count, a token for four bytes.
 */
class UpstreamCostProperties {
  /** Where text, shown reasoning, and arguments of tool calls begin. */
  private static final Pattern SAID = Pattern.compile("\"(?:content|reasoning|arguments)\":\"");

  private static final long PROMPT_TOKENS = 2; // of the only prompt there is
  private static final int BYTES_PER_TOKEN = 4;

  /**
   * One answer: so many pieces of text of this size, and then what happens.
   *
   * @param form which of the forms of its row
   */
  record Answer(Ending ending, int form, int pieces, int size) {}

  @Provide
  Arbitrary<List<Answer>> answers() {
    return Combinators.combine(
            Arbitraries.of(Ending.class),
            Arbitraries.integers().between(0, 11),
            Arbitraries.integers().between(0, 12),
            sizes())
        .as(Answer::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }

  private static Arbitrary<Integer> sizes() {
    return Arbitraries.frequencyOf(
        Tuple.of(5, Arbitraries.integers().between(1, 20)),
        Tuple.of(1, Arbitraries.integers().between(100, 2000)));
  }

  @Property(tries = 6)
  void fewCostNoMoreThanIsPaidOrInsured(@ForAll("answers") List<Answer> answers) {
    settle(answers);
  }

  @Property(tries = 400)
  @Tag("full")
  void costNoMoreThanIsPaidOrInsured(@ForAll("answers") List<Answer> answers) {
    settle(answers);
  }

  private static void settle(List<Answer> answers) {
    long upstream = 0;
    long paid = 0;
    long insured = 0;
    long beyondHold = 0;
    for (Answer answer : answers) {
      try (var scene = new Scene()) {
        scene.upstream.streams(steps(answer, scene).toArray(Step[]::new));
        scene.plugged = answer.ending().isPlugged();
        String heard = scene.ask("/chat/completions", true, answer.ending().pauses()).body();
        CallRecord record = scene.record();
        long tokens = Math.ceilDiv(saidBytes(heard), BYTES_PER_TOKEN);
        long cost = tokens == 0 ? 0 : price(tokens);
        long bill = record.cost().nanos();
        upstream += cost;
        paid += bill;
        if (isInsured(answer.ending()) && !isCut(record)) {
          assertThat(bill).as(answer.toString()).isZero();
          insured += cost;
        } else {
          long excess = Math.max(0, tokens - Scene.CAP) * Scene.OUTPUT_PRICE;
          assertThat(bill).as(answer.toString()).isGreaterThanOrEqualTo(cost - excess);
          beyondHold += excess;
        }
        assertThat(scene.balance().settled().credits().nanos()).isEqualTo(bill);
        if (record.billLines().getLast().usage().isEstimated()) {
          assertThat(scene.balance().overrun().nanos()).as("an estimate fits its hold").isZero();
        }
      }
    }
    assertThat(upstream).isLessThanOrEqualTo(paid + insured + beyondHold);
  }

  /** The pieces come before what the row does; a count counts them too. */
  private static List<Step> steps(Answer answer, Scene scene) {
    var steps = new ArrayList<Step>();
    for (int i = 0; i < answer.pieces(); i++) {
      steps.add(text("x".repeat(answer.size())));
    }
    if (answer.ending() == Ending.COUNTED) {
      long bytes = (long) answer.pieces() * answer.size() + 4;
      steps.add(text("last"));
      steps.add(finish("stop"));
      steps.add(usage(PROMPT_TOKENS, Math.ceilDiv(bytes, BYTES_PER_TOKEN)));
      steps.add(done());
    } else {
      List<List<Step>> forms = answer.ending().further(scene);
      int form = answer.form() % (forms.size() + 1);
      steps.addAll(form == 0 ? answer.ending().steps(scene) : forms.get(form - 1));
    }
    return steps;
  }

  private static boolean isInsured(Ending ending) {
    return switch (ending) {
      case ERROR_FRAME, FINISHED_WITH_ERROR, RESET, NONSENSE, CUT_ARGUMENTS, SILENT, NOBODY, BUG ->
          true;
      default -> false;
    };
  }

  /** Cut at its hold before it came to what the row does. */
  private static boolean isCut(CallRecord record) {
    return record.stopReason() == StopReason.LENGTH;
  }

  private static long price(long outputTokens) {
    return PROMPT_TOKENS * Scene.PROMPT_PRICE + outputTokens * Scene.OUTPUT_PRICE;
  }

  private static long saidBytes(String heard) {
    return SAID.matcher(heard).results().mapToLong(said -> length(heard, said.end())).sum();
  }

  /** Of a string that begins here; what is escaped counts as one. */
  private static long length(String heard, int start) {
    long length = 0;
    for (int i = start; heard.charAt(i) != '"'; i++) {
      i += heard.charAt(i) == '\\' ? 1 : 0;
      length++;
    }
    return length;
  }
}
