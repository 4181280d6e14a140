package io.strowger.benchmarks;

import io.strowger.core.guardrail.ContentFilter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
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
 * <p>Lower bound: {@link #everyCharacter()}, one pass over the characters of the same events.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class AnswerGuardBenchmark {
  private static final int KILOBYTES = FilterBenchmark.KILOBYTES;

  @Param({"16", "4096"})
  private int characters;

  private final List<Event> answer = new ArrayList<>();
  private ContentFilter customFilter;
  private ContentFilter builtinFilter;

  @Setup
  public void setUp() {
    String text = FilterBenchmark.TEXT;
    for (int start = 0; start < text.length(); start += characters) {
      answer.add(
          new Event.TextDelta(text.substring(start, Math.min(text.length(), start + characters))));
    }
    answer.add(new Event.Finished(StopReason.END, "stop", null));
    Json.Obj output = Json.object().put("action", "block").put("direction", "output").build();
    customFilter = FilterBenchmark.customFilter(output);
    builtinFilter = FilterBenchmark.builtinFilter(output);
    if (ownPattern() < KILOBYTES * 1024 || allBuiltins() < KILOBYTES * 1024) {
      throw new IllegalStateException("a filter found something in the answer");
    }
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
