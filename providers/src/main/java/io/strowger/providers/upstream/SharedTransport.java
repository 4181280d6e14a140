package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The transport and the answer memory shared by all adapters of one factory. Safe on any thread;
 * closing it closes only a transport that it opened itself.
 */
public final class SharedTransport implements AutoCloseable {
  private final Transport transport;
  private final AnswerMemory memory;
  private final @Nullable ApacheTransport own;

  private SharedTransport(Transport transport, AnswerMemory memory, @Nullable ApacheTransport own) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.memory = Objects.requireNonNull(memory, "memory");
    this.own = own;
  }

  /** Opens a transport that is closed with this object. */
  public static SharedTransport own() {
    var own = new ApacheTransport();
    return new SharedTransport(own, AnswerMemory.ofHeap(), own);
  }

  /**
   * @param transport the transport, which its owner closes after this object
   */
  public static SharedTransport of(Transport transport, AnswerMemory memory) {
    return new SharedTransport(transport, memory, null);
  }

  /** Closes this object and returns one for the gateway's transport to providers and its memory. */
  public SharedTransport replacedBy(Transports shared) {
    close();
    return of(shared.providers(), HttpTransports.memory(shared));
  }

  /** Creates a chat adapter. */
  public HttpChatProvider chat(ProviderSettings settings, UpstreamCodec wire) {
    if (own != null) {
      own.sweepBy(settings.ambient());
    }
    return new HttpChatProvider(transport, settings, wire, memory);
  }

  public Transport transport() {
    return transport;
  }

  public AnswerMemory memory() {
    return memory;
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
