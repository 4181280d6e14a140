package io.strowger.benchmarks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.providers.chat.ChatRequestWriter;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.io.IOException;
import java.util.Objects;
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
 * What does it cost to write the body for an upstream, with the upstream's name of the model and
 * without the gateway's members? The result is microseconds and bytes per body.
 *
 * <p>Lower bound: {@link #copy()} of the caller's body. Compared with: {@link #tree()}, which
 * changes the same members in a tree of the JSON library and writes it. Target U1, for 32k: {@link
 * #write()} takes at most 2 times {@link #copy()} and 0.05 times {@link #tree()}. A body of another
 * dialect is written again except for its texts: {@link #toMessages()} and {@link #toGemini()},
 * which also open an exchange without a network, should take less time than {@link #tree()} (U2).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class WriteBenchmark {
  /** The name of the body that the caller sends. */
  @Param({"1k", "32k"})
  public String body = "32k";

  private final JacksonPeer jackson = new JacksonPeer();
  private byte[] document;
  private Call call;
  private Call streamingCall;
  private ObjectNode tree;
  private final MemoryTransport upstream = new MemoryTransport(new byte[0]);
  private ChatProvider messagesAdapter;
  private ChatProvider geminiAdapter;

  @Setup
  public void setUp() throws IOException {
    document = ChatBodies.named(body);
    call = AdapterCalls.of(AdapterCalls.read(document));
    streamingCall = AdapterCalls.of(call.request().toBuilder().streaming(true).build());
    messagesAdapter = Api.MESSAGES.factory(upstream).create(AdapterCalls.settings());
    geminiAdapter = Api.GEMINI.factory(upstream).create(AdapterCalls.settings());
    tree = (ObjectNode) jackson.tree(document);
  }

  @Benchmark
  public byte[] copy() {
    return document.clone();
  }

  @Benchmark
  public JsonOutput write() {
    return ChatRequestWriter.of(call);
  }

  @Benchmark
  public JsonOutput toMessages() throws UpstreamException {
    return sentBody(messagesAdapter);
  }

  @Benchmark
  public JsonOutput toGemini() throws UpstreamException {
    return sentBody(geminiAdapter);
  }

  private JsonOutput sentBody(ChatProvider provider) throws UpstreamException {
    try (EventStream stream = provider.open(streamingCall)) {
      return Objects.requireNonNull(upstream.lastBody(), stream::toString);
    }
  }

  @Benchmark
  public byte[] tree() throws IOException {
    tree.put("model", call.endpoint().upstreamModel());
    tree.put("user", call.endUser());
    tree.remove("provider");
    return jackson.write(tree);
  }
}
