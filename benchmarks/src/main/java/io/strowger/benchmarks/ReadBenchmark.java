package io.strowger.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to read a chat body into values that keep their bytes and to check all of it?
 * The result is microseconds and bytes per body; {@code ./gateway bench} divides the bytes by the
 * JSON values in the body.
 *
 * <p>Lower bound: {@link #scan()}, the same library visiting every token without building values.
 * Compared with: {@link #tree()}, its own tree. Targets for {@link #readAndCheck()}: V1 (1k: at
 * most 2.5 times {@link #scan()}), V2 (32k: at most 1.5 times {@link #scan()} and 0.8 times {@link
 * #tree()}), V3 (256k and many: at most 1.3 times {@link #scan()}); at most 120 B per value and
 * none per byte of text.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class ReadBenchmark {
  /** The name of the body. */
  @Param({"1k", "32k", "wide32k", "256k", "many"})
  public String body = "1k";

  private final JacksonPeer jackson = new JacksonPeer();
  private final JacksonCodec codec = new JacksonCodec();
  private final ChatDecoder decoder = new ChatDecoder((entries, at, problems) -> {});
  private byte[] document;

  @Setup
  public void setUp() {
    document = ChatBodies.named(body);
  }

  @Benchmark
  public int scan() throws IOException {
    return jackson.scan(document);
  }

  @Benchmark
  public JsonNode tree() throws IOException {
    return jackson.tree(document);
  }

  /** The first half of {@link #readAndCheck()}. */
  @Benchmark
  public Json read() throws MalformedJsonException {
    return codec.parse(document);
  }

  @Benchmark
  public InferenceRequest readAndCheck() throws MalformedJsonException {
    var problems = new Problems();
    InferenceRequest request = decoder.decode((Json.Obj) codec.parse(document), problems);
    if (!problems.isEmpty()) {
      throw new IllegalStateException("the body must have no problems: " + problems.list());
    }
    return request;
  }
}
