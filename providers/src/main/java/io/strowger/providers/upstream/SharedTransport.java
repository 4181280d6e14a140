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
 * closing this object closes the transport only if this object has opened it.
 */
public final class SharedTransport implements AutoCloseable {
  private final Transport transport;
  private final AnswerMemory memory;
  private final @Nullable ApacheTransport ownedTransport;

  private SharedTransport(
      Transport transport, AnswerMemory memory, @Nullable ApacheTransport ownedTransport) {
    this.transport = Objects.requireNonNull(transport, "transport");
    this.memory = Objects.requireNonNull(memory, "memory");
    this.ownedTransport = ownedTransport;
  }

  /** Opens a transport that is closed with this object. */
  public static SharedTransport open() {
    var opened = new ApacheTransport();
    return new SharedTransport(opened, AnswerMemory.ofHeap(), opened);
  }

  /**
   * Returns an object that does not close its transport.
   *
   * @param transport the transport, which its owner closes after this object
   */
  public static SharedTransport of(Transport transport, AnswerMemory memory) {
    return new SharedTransport(transport, memory, null);
  }

  /** Closes this object and returns one for the gateway's transport to providers and its memory. */
  public SharedTransport replaceWith(Transports shared) {
    close();
    return of(shared.providers(), HttpTransports.memory(shared));
  }

  /** Creates a chat adapter. */
  public HttpChatProvider createChatProvider(ProviderSettings settings, UpstreamCodec codec) {
    if (ownedTransport != null) {
      ownedTransport.startSweeping(settings.ambient());
    }
    return new HttpChatProvider(transport, settings, codec, memory);
  }

  public Transport transport() {
    return transport;
  }

  public AnswerMemory memory() {
    return memory;
  }

  @Override
  public void close() {
    if (ownedTransport != null) {
      ownedTransport.close();
    }
  }
}
