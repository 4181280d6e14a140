package io.strowger.benchmarks;

import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does one chunk of text cost on its way from an upstream of one dialect to a caller of
 * another? The result is nanoseconds and bytes per chunk of about 300 bytes, in streams of a
 * thousand chunks from memory; the cost of the request and of both ends of a stream is spread over
 * its chunks.
 *
 * <p>Compared with, on the upstream's own chunks: {@link #tokens}, which visits the JSON tokens
 * with the JSON library, {@link #trees}, which builds the library's tree, and {@link #rewrite},
 * which builds the tree and writes it. Targets S1 and S1b for dialects whose chunks differ in
 * nothing but their text; S2 for {@link #read} of dialects whose chunks must be parsed; S3 for
 * {@link #relay} (at most 1.5 times {@link #rewrite} and 1,000 B).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@OperationsPerInvocation(ChatStreams.CHUNKS)
@State(Scope.Thread)
public class TranslateBenchmark {
  /** The dialects of upstream and caller. */
  @Param({
    "messages-to-messages",
    "responses-to-responses",
    "chat-to-messages",
    "chat-to-responses",
    "messages-to-chat",
    "responses-to-chat",
    "gemini-to-chat"
  })
  public String dialects = "chat-to-messages";

  private final JacksonPeer jackson = new JacksonPeer();
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private List<byte[]> documents;
  private ChatProvider provider;
  private EmbeddedGateway gateway;
  private Api callerApi;
  private Call call;
  private byte[] request;

  @Setup
  public void setUp() {
    DialectPair pair = DialectPair.of(dialects);
    TextStreams streams = TextStreams.of(pair.upstream());
    documents = streams.chunks();
    callerApi = pair.caller();
    var transport = new MemoryTransport(streams.stream());
    provider = pair.upstream().factory(transport).create(AdapterCalls.settings());
    gateway =
        new EmbeddedGateway(transport, pair.upstream(), URI.create("http://localhost/v1"), "large");
    request = callerApi.requestBody(GatewayConfigs.MODEL_PREFIX + "large");
    call = AdapterCalls.of(AdapterCalls.read(callerApi, request));
  }

  @TearDown
  public void tearDown() {
    gateway.close();
    provider.close();
  }

  @Benchmark
  public int tokens() throws IOException {
    return jackson.scan(documents);
  }

  @Benchmark
  public void trees(Blackhole blackhole) throws IOException {
    for (byte[] document : documents) {
      blackhole.consume(jackson.tree(document));
    }
  }

  @Benchmark
  public int rewrite() throws IOException {
    int bytes = 0;
    for (byte[] document : documents) {
      bytes += jackson.write(jackson.tree(document)).length;
    }
    return bytes;
  }

  /** Reads the events as the engine does from its adapter. */
  @Benchmark
  public int read(Blackhole blackhole) throws UpstreamException {
    int events = 0;
    try (EventStream answer = provider.open(call)) {
      for (Event event = answer.next(); event != null; event = answer.next()) {
        blackhole.consume(event);
        events++;
      }
    }
    return events;
  }

  /** Passes chunks through the whole engine, from the upstream's bytes to the caller's. */
  @Benchmark
  public int relay() throws IOException {
    gateway.answer(callerApi, request, output);
    return output.size();
  }

  /** Returns what the last {@link #relay()} sent to the caller. */
  String relayed() {
    return output.toString(StandardCharsets.UTF_8);
  }
}
