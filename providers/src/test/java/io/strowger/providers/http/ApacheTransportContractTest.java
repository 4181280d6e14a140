package io.strowger.providers.http;

import io.strowger.spi.provider.Transport;
import io.strowger.tck.TransportContract;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The transport over HttpCore keeps the contract of transports:")
class ApacheTransportContractTest extends TransportContract {
  @Override
  protected Transport transport(SSLContext tlsContext) {
    return new ApacheTransport(ApacheTransport.Limits.DEFAULT, tlsContext);
  }
}
