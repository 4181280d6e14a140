package io.strowger.benchmarks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.providers.chat.ChatBody;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Call;
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
 * What does it cost to write the body an upstream gets, with its own name of the model and without
 * what was for the gateway? The answer is microseconds and bytes per body.
 *
 * <p>Floor: {@link #copy()} of the caller's body. Peer: {@link #tree()}, which changes the same
 * members in a tree of the JSON library and writes it. Target U1 (32k: at most 2 copies and 0.05
 * trees).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class WriteBenchmark {
  /** Which body the caller sent. */
  @Param({"1k", "32k"})
  public String body = "32k";

  private final JacksonPeer jackson = new JacksonPeer();
  private byte[] document;
  private Call call;
  private ObjectNode tree;

  @Setup
  public void setUp() throws IOException {
    document = ChatBodies.named(body);
    call = Calls.of(Calls.read(document));
    tree = (ObjectNode) jackson.tree(document);
  }

  @Benchmark
  public byte[] copy() {
    return document.clone();
  }

  @Benchmark
  public JsonOutput write() {
    return ChatBody.of(call);
  }

  @Benchmark
  public byte[] tree() throws IOException {
    tree.put("model", call.endpoint().upstreamModel());
    tree.put("user", call.endUser());
    tree.remove("provider");
    return jackson.write(tree);
  }
}
