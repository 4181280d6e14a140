package io.strowger.benchmarks;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.sse.SseReader;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.io.ByteArrayInputStream;
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
 * What does one chunk of a streamed answer cost? The result is nanoseconds and bytes per chunk of
 * about 300 bytes, in streams of a thousand chunks from memory; the cost of opening a stream is
 * spread over its chunks.
 *
 * <p>Lower bound: {@link #split}, which only finds the ends of events. Compared with: {@link
 * #tokens}, which visits the JSON tokens of every chunk with the JSON library, and {@link #trees},
 * which builds the library's tree of every chunk. Target S1, for text: {@link #read} takes at most
 * 0.25 times {@link #tokens}. Target S1b, for text: {@link #relay()} takes at most 0.5 times {@link
 * #tokens}. Target S2, for usage, which must be parsed: {@link #read} takes at most as long as
 * {@link #trees}, and 600 B.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@OperationsPerInvocation(ChatStreams.CHUNKS)
@State(Scope.Thread)
public class StreamBenchmark {
  /**
   * The content of the chunks; padded ones have padding that hides the length of their text,
   * different in each.
   */
  @Param({"text", "padded", "usage"})
  public String chunks = "text";

  private final JacksonPeer jackson = new JacksonPeer();
  private List<byte[]> documents;
  private byte[] stream;
  private ChatProvider provider;
  private EmbeddedGateway gateway;
  private byte[] request;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @Setup
  public void setUp() {
    var streams = ChatStreams.named(chunks);
    documents = streams.chunks();
    stream = streams.stream();
    var transport = new MemoryTransport(stream);
    provider = new OpenAiChatFactory(transport).create(AdapterCalls.settings());
    gateway = new EmbeddedGateway(transport, URI.create("http://localhost/v1"), "large");
    request = ChatBodies.named("1k", GatewayConfigs.MODEL_PREFIX + "large", true);
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
  public int split() throws IOException {
    var reader = new SseReader(new ByteArrayInputStream(stream));
    int events = 0;
    while (reader.next()) {
      events++;
    }
    return events;
  }

  /** Reads the events as the engine does from its adapter. */
  @Benchmark
  public int read(Blackhole blackhole) throws UpstreamException {
    int events = 0;
    try (EventStream answer = provider.open(AdapterCalls.streamingCall())) {
      for (Event event = answer.next(); event != null; event = answer.next()) {
        blackhole.consume(event);
        events++;
      }
    }
    return events;
  }

  /** Reads, meters and writes the events: the whole path of a chunk through the gateway. */
  @Benchmark
  public int relay() throws IOException {
    gateway.answer(Api.CHAT, request, output);
    return output.size();
  }

  /** Returns what the last {@link #relay()} sent to the caller. */
  String relayed() {
    return output.toString(StandardCharsets.UTF_8);
  }
}
