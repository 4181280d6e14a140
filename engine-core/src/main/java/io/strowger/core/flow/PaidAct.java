package io.strowger.core.flow;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Hold;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Something a plugin pays for beside the answers of models, such as a search: it holds money and is
 * a line of the bill once it is settled. Safe on any thread.
 */
final class PaidAct implements Hold {
  private final String what;
  private final Hold held;
  private final AtomicReference<@Nullable Usd> ended = new AtomicReference<>();

  /**
   * @param what by whom and what for
   */
  PaidAct(String what, Hold held) {
    this.what = what;
    this.held = held;
  }

  String what() {
    return what;
  }

  /** What it cost; null while it is under way. */
  @Nullable Usd cost() {
    return ended.get();
  }

  @Override
  public Usd amount() {
    return held.amount();
  }

  @Override
  public void settle(Usd actual) {
    if (ended.compareAndSet(null, actual)) {
      held.settle(actual);
    }
  }

  @Override
  public void release() {
    if (ended.compareAndSet(null, Usd.ZERO)) {
      held.release();
    }
  }
}
