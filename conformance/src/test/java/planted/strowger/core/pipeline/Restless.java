package planted.strowger.core.pipeline;

import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ServiceLoader;
import java.util.UUID;
import planted.strowger.providers.ClaudeSpeaker;

/** Takes everything from the JDK that Ambient gives, and prints it. */
class Restless {
  static int calls;

  synchronized String now(ClaudeSpeaker speaker) {
    calls++;
    Thread.ofVirtual().start(speaker::speak);
    System.out.println(ServiceLoader.load(Runnable.class));
    return Instant.now() + UUID.randomUUID().toString();
  }

  /** Sends without money. */
  EventStream ask(ChatProvider provider, Call call) throws UpstreamException {
    return provider.open(call);
  }

  Method[] methods() {
    return getClass().getMethods();
  }
}
