package io.strowger.benchmarks;

import com.google.re2j.Pattern;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.provider.Cancellation;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to search a request for forbidden content? The result is microseconds per KB of
 * text in which nothing is found, the usual case.
 *
 * <p>Lower bound for one pattern: {@link #oneSearch()}, one search for it by the library that the
 * filter uses. Lower bound for any search: {@link #everyCharacter()}, one pass over the characters
 * of the same text.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class FilterBenchmark {
  static final int KILOBYTES = 32;
  private static final String PATTERN = "\\b[A-Z]{2}[0-9]{8}\\b";
  private static final String SENTENCE =
      "The committee met on 12 May at 10:30 and heard, among other things, that 4,111 of 9,000"
          + " letters had been answered; see page 17 (note 3) or write to us. ";

  /** A text of so many kilobytes in which no filter finds anything. */
  static final String TEXT =
      SENTENCE.repeat(KILOBYTES * 1024 / SENTENCE.length() + 1).substring(0, KILOBYTES * 1024);

  private final Pattern pattern = Pattern.compile(PATTERN);
  private final String text = TEXT;
  private InferenceRequest request;
  private ContentFilter customFilter;
  private ContentFilter builtinFilter;

  @Setup
  public void setUp() {
    request =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
            .messages(List.of(Message.text(Message.Role.USER, text)))
            .build();
    Json.Obj redact = Json.object().put("action", "redact").build();
    customFilter = customFilter(redact);
    builtinFilter = builtinFilter(redact);
    require(ownPattern().request() == request && !oneSearch(), "the pattern found something");
    require(allBuiltins().request() == request, "a built-in filter found something");
  }

  /** Returns a filter with a pattern of the account's own. */
  static ContentFilter customFilter(Json.Obj action) {
    return filter("content_filters", "pattern", List.of(PATTERN), action);
  }

  /** Returns a filter with every built-in search. */
  static ContentFilter builtinFilter(Json.Obj action) {
    List<String> slugs =
        List.of(
            "email",
            "credit-card",
            "phone",
            "ssn",
            "ip-address",
            "person-name",
            "address",
            "regex-prompt-injection");
    return filter("content_filter_builtins", "slug", slugs, action);
  }

  private static ContentFilter filter(
      String list, String member, List<String> values, Json.Obj action) {
    Json rules =
        Json.array(values.stream().map(each -> action.with(member, Json.of(each))).toList());
    Json.Obj guardrail = Json.object().put("name", "g").put(list, rules).build();
    return Objects.requireNonNull(ContentFilter.of(List.of(guardrail)));
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalStateException(message);
    }
  }

  @Benchmark
  @OperationsPerInvocation(KILOBYTES)
  public int everyCharacter() {
    int digits = 0;
    for (int i = 0; i < text.length(); i++) {
      digits += text.charAt(i) >= '0' && text.charAt(i) <= '9' ? 1 : 0;
    }
    return digits;
  }

  @Benchmark
  @OperationsPerInvocation(KILOBYTES)
  public boolean oneSearch() {
    return pattern.matcher(text).find();
  }

  @Benchmark
  @OperationsPerInvocation(KILOBYTES)
  public ContentFilter.Filtered ownPattern() {
    return Objects.requireNonNull(customFilter.apply(request, new Cancellation()));
  }

  /** All eight built-in filters on one request. */
  @Benchmark
  @OperationsPerInvocation(KILOBYTES)
  public ContentFilter.Filtered allBuiltins() {
    return Objects.requireNonNull(builtinFilter.apply(request, new Cancellation()));
  }
}
