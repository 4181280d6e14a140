package io.strowger.core.attempt;

import io.strowger.core.money.Funds;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;

/** Opens the adapter of an attempt: directly, or through the plugins around each attempt. */
@FunctionalInterface
public interface Opener {
  /** Opens the adapter directly. */
  Opener DIRECT = (adapter, call, funds) -> funds.open(adapter, call);

  /**
   * Opens the adapter, as {@link Funds#open} does.
   *
   * @param funds the money that pays for the attempt
   */
  EventStream open(ChatProvider adapter, Call call, Funds funds) throws UpstreamException;
}
