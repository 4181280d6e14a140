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
 * Simulates answers of all kinds and lengths, which end in every way of the table in {@code
 * docs/errors.md}. The cost at the upstreams is never more than the sum of what callers pay, of
 * what insured answers cost, and of what an upstream produced uncounted beyond the limit of the
 * request. An upstream counts, or would count, one token for four bytes.
 */
class UpstreamCostProperties {
  /** Matches where text, visible reasoning and arguments of tool calls begin. */
  private static final Pattern OUTPUT_START =
      Pattern.compile("\"(?:content|reasoning|arguments)\":\"");

  private static final long PROMPT_TOKENS = 2; // of the prompt of every request
  private static final int BYTES_PER_TOKEN = 4;

  /**
   * One answer: some pieces of text, and then an ending.
   *
   * @param form selects one of the forms of the ending
   * @param pieces the number of pieces of text
   * @param size the characters of each piece
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
      try (var gateway = new MoneyGateway()) {
        gateway.upstream.streams(steps(answer, gateway).toArray(Step[]::new));
        gateway.usesPlugin = answer.ending().usesPlugin();
        String response = gateway.ask("/chat/completions", true, answer.ending().pauses()).body();
        CallRecord record = gateway.record();
        long tokens = Math.ceilDiv(outputBytes(response), BYTES_PER_TOKEN);
        long cost = tokens == 0 ? 0 : price(tokens);
        long bill = record.cost().nanos();
        upstream += cost;
        paid += bill;
        if (isInsured(answer.ending()) && !isCut(record)) {
          assertThat(bill).as(answer.toString()).isZero();
          insured += cost;
        } else {
          long excess =
              Math.max(0, tokens - MoneyGateway.MAX_OUTPUT_TOKENS) * MoneyGateway.OUTPUT_PRICE;
          assertThat(bill).as(answer.toString()).isGreaterThanOrEqualTo(cost - excess);
          beyondHold += excess;
        }
        assertThat(gateway.balance().settled().credits().nanos()).isEqualTo(bill);
        if (record.billLines().getLast().usage().isEstimated()) {
          assertThat(gateway.balance().overrun().nanos()).as("an estimate fits its hold").isZero();
        }
      }
    }
    assertThat(upstream).isLessThanOrEqualTo(paid + insured + beyondHold);
  }

  /** Returns the pieces and then the steps of the ending; a reported usage includes the pieces. */
  private static List<Step> steps(Answer answer, MoneyGateway gateway) {
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
      List<List<Step>> forms = answer.ending().otherForms(gateway);
      int form = answer.form() % (forms.size() + 1);
      steps.addAll(form == 0 ? answer.ending().steps(gateway) : forms.get(form - 1));
    }
    return steps;
  }

  private static boolean isInsured(Ending ending) {
    return switch (ending) {
      case ERROR_FRAME,
          FINISHED_WITH_ERROR,
          RESET,
          NONSENSE,
          CUT_ARGUMENTS,
          SILENT,
          ALL_PROVIDERS_FAIL,
          BUG ->
          true;
      default -> false;
    };
  }

  /** Returns whether the answer was cut at its hold before the ending was reached. */
  private static boolean isCut(CallRecord record) {
    return record.stopReason() == StopReason.LENGTH;
  }

  private static long price(long outputTokens) {
    return PROMPT_TOKENS * MoneyGateway.PROMPT_PRICE + outputTokens * MoneyGateway.OUTPUT_PRICE;
  }

  private static long outputBytes(String response) {
    return OUTPUT_START
        .matcher(response)
        .results()
        .mapToLong(start -> length(response, start.end()))
        .sum();
  }

  /** Returns the length of the JSON string that begins here; an escape counts as one character. */
  private static long length(String response, int start) {
    long length = 0;
    for (int i = start; response.charAt(i) != '"'; i++) {
      i += response.charAt(i) == '\\' ? 1 : 0;
      length++;
    }
    return length;
  }
}
