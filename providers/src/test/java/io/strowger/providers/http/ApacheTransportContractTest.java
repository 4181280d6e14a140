package io.strowger.providers.http;

import io.strowger.spi.provider.Transport;
import io.strowger.tck.TransportContract;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The transport over HttpCore, as every transport:")
class ApacheTransportContractTest extends TransportContract {
  @Override
  protected Transport transport(SSLContext trusting) {
    return new ApacheTransport(ApacheTransport.Limits.DEFAULT, trusting);
  }
}
