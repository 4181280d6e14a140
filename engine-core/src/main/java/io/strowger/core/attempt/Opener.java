package io.strowger.core.attempt;

import io.strowger.core.money.Funds;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;

/** How an attempt asks its adapter: plainly, or through what stands around each attempt. */
@FunctionalInterface
public interface Opener {
  /** Asks the adapter itself. */
  Opener PLAIN = (adapter, call, funds) -> funds.open(adapter, call);

  /**
   * As {@link Funds#open}.
   *
   * @param funds pay for the attempt
   */
  EventStream open(ChatProvider adapter, Call call, Funds funds) throws UpstreamException;
}
