package io.strowger.host.server;

import java.nio.channels.Channel;
import java.util.concurrent.atomic.AtomicBoolean;

/** A channel in memory that runs an action when it is closed. */
final class FakeChannel implements Channel {
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Runnable whenClosed;

  FakeChannel(Runnable whenClosed) {
    this.whenClosed = whenClosed;
  }

  @Override
  public boolean isOpen() {
    return !closed.get();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      whenClosed.run();
    }
  }
}
