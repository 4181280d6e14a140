package io.strowger.benchmarks;

import io.strowger.core.guardrail.ContentFilter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to search an answer for forbidden content while it streams? The result is
 * microseconds per KB of text in which nothing is found; 2 µs per KB are 500 MB/s. Measured for
 * short and long events, because the cost of short ones depends on their number.
 *
 * <p>Floor: {@link #everyCharacter()}, one pass over the characters of the same events.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class AnswerGuardBenchmark {
  private static final int KILOBYTES = 32;
  private static final String PATTERN = "\\b[A-Z]{2}[0-9]{8}\\b";
  private static final String SENTENCE =
      "The committee met on 12 May at 10:30 and heard, among other things, that 4,111 of 9,000"
          + " letters had been answered; see page 17 (note 3) or write to us. ";

  @Param({"16", "4096"})
  private int characters;

  private final List<Event> answer = new ArrayList<>();
  private ContentFilter customFilter;
  private ContentFilter builtinFilter;

  @Setup
  public void setUp() {
    String text =
        SENTENCE.repeat(KILOBYTES * 1024 / SENTENCE.length() + 1).substring(0, KILOBYTES * 1024);
    for (int start = 0; start < text.length(); start += characters) {
      answer.add(
          new Event.TextDelta(text.substring(start, Math.min(text.length(), start + characters))));
    }
    answer.add(new Event.Finished(StopReason.END, "stop", null));
    customFilter = filter("content_filters", rule("pattern", PATTERN));
    builtinFilter =
        filter(
            "content_filter_builtins",
            rule("slug", "email"),
            rule("slug", "credit-card"),
            rule("slug", "phone"),
            rule("slug", "ssn"),
            rule("slug", "ip-address"),
            rule("slug", "person-name"),
            rule("slug", "address"),
            rule("slug", "regex-prompt-injection"));
    if (ownPattern() < KILOBYTES * 1024 || allBuiltins() < KILOBYTES * 1024) {
      throw new IllegalStateException("a filter found something in the answer");
    }
  }

  private static Json rule(String member, String value) {
    return Json.object()
        .put(member, value)
        .put("action", "block")
        .put("direction", "output")
        .build();
  }

  private static ContentFilter filter(String member, Json... rules) {
    Json.Obj guardrail = Json.object().put("name", "g").put(member, Json.array(rules)).build();
    return Objects.requireNonNull(ContentFilter.of(List.of(guardrail)));
  }

  private static int countCharacters(EventStream stream) {
    int characters = 0;
    for (Event event = stream.next(); event != null; event = stream.next()) {
      characters += event instanceof Event.TextDelta delta ? delta.text().text().length() : 0;
    }
    return characters;
  }

  @Benchmark
  @OperationsPerInvocation(KILOBYTES)
  public int everyCharacter() {
    int digits = 0;
    for (Event event : answer) {
      if (event instanceof Event.TextDelta delta) {
        String text = delta.text().text();
        for (int i = 0; i < text.length(); i++) {
          digits += text.charAt(i) >= '0' && text.charAt(i) <= '9' ? 1 : 0;
        }
      }
    }
    return digits;
  }

  @Benchmark
  @OperationsPerInvocation(KILOBYTES)
  public int ownPattern() {
    return countCharacters(
        customFilter.filterAnswer(EventStream.of(answer), Set.of(), stage -> {}));
  }

  /** All eight built-in filters on one answer. */
  @Benchmark
  @OperationsPerInvocation(KILOBYTES)
  public int allBuiltins() {
    return countCharacters(
        builtinFilter.filterAnswer(EventStream.of(answer), Set.of(), stage -> {}));
  }
}
