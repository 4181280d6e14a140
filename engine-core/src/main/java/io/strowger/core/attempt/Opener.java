package io.strowger.core.attempt;

import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamFailure;

/** How an attempt asks its adapter: plainly, or through what stands around each attempt. */
@FunctionalInterface
public interface Opener {
  /** Asks the adapter itself. */
  Opener PLAIN = ChatProvider::open;

  /** As {@link ChatProvider#open}. */
  EventStream open(ChatProvider adapter, Call call) throws UpstreamFailure;
}
